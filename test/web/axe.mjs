// The rules of axe, which know what a page owes to people who do not see or point.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { check, root, skip } from './browser.mjs'

function axeSource() {
  try {
    return readFileSync(join(root, 'node_modules/axe-core/axe.min.js'), 'utf8')
  } catch {
    return skip('needs axe-core: npm ci')
  }
}

// Run as a string by the test's own channel: the page's policy lets no foreign script in.
export async function clean(page, where, { colorsOnly = false } = {}) {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axeSource())
  const found = await page.evaluate(async (colorsOnly) => {
    const options = colorsOnly ? { runOnly: ['color-contrast', 'link-in-text-block'] } : {}
    const { violations, passes } = await window.axe.run(document, { resultTypes: ['violations'], ...options })
    const told = violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`)
    return { told, passed: passes.length }
  }, colorsOnly)
  check(
    found.passed > (colorsOnly ? 0 : 10) && found.told.length === 0,
    `${where}: axe, ${found.passed} rules kept ${found.told.join(' | ')}`,
  )
}
