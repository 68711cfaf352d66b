// In every room the hero fills 55 to 70 % of the stage's height on a desktop, as docs/rooms.md asks, and is whole on the
// stage of a phone. Measured by projecting the hero's own corners as the room stands before anything is played.
// ctest: plain timeout=900
import { between, browser, check, lab, main } from './browser.mjs'
import { chooseScene, drawn, inLab, openLab, start } from './shell.mjs'

const span = (page) =>
  inLab(page, async (lab) => {
    const { heroSpan } = await import('./rooms/framing.js')
    return heroSpan(lab.room)
  })

async function everyRoom(page, look) {
  await start(page)
  const names = await inLab(page, (lab) => lab.engine.catalogue.map(({ name }) => name))
  check(names.length === 30, `${names.length} scenes`)
  for (const name of names) {
    await chooseScene(page, name)
    await drawn(page)
    look(name, await span(page))
  }
}

const percent = (share) => Math.round(100 * share)

await main(async () => {
  const { address } = await lab()
  const desk = await browser({ viewport: { width: 960, height: 760 } })
  await everyRoom(await openLab(desk, address), (name, { high, wide, top, bottom }) => {
    between(percent(high), 55, 70, `${name}: the hero's share of the stage's height, in %`)
    check(wide < 1 && top > 0 && bottom < 1, `${name}: whole on the stage, ${percent(wide)} % wide`)
  })
  await desk.close()
  const phone = await browser({ viewport: { width: 390, height: 844 } })
  await everyRoom(await openLab(phone, address), (name, { left, right, top, bottom, high }) =>
    check(left > 0 && right < 1 && top > 0 && bottom < 1, `${name}: whole on a phone, ${percent(high)} % high`),
  )
})
