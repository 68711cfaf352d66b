// Where things are on the page, for tests of what covers what; and the two screens they are looked at on.
export const desk = { viewport: { width: 1280, height: 800 } }
export const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

// The hero as it is drawn: its solids' corners on the stage, as a box on the page.
export const heroBox = (lab) => {
  const { left, top, width, height } = lab.stage.section.getBoundingClientRect()
  lab.room.group.updateMatrixWorld(true)
  const corners = []
  const walk = (thing) => {
    if (thing.userData.reaches || thing.visible === false) return
    const box = thing.isMesh && (thing.geometry.computeBoundingBox(), thing.geometry.boundingBox)
    for (let i = 0; box && i < 8; i++) {
      const corner = box.min.clone()
      for (const [bit, axis] of ['x', 'y', 'z'].entries()) corner[axis] = (i >> bit) & 1 ? box.max[axis] : box.min[axis]
      corners.push(lab.stage.project(thing.localToWorld(corner)))
    }
    thing.children.forEach(walk)
  }
  for (const solid of lab.room.solids ?? []) if (!solid.userData.ground) walk(solid)
  const clip = (value, most) => Math.min(most, Math.max(0, value))
  const side = (axis, pick, most) => clip(pick(...corners.map((corner) => corner[axis])), most)
  if (!corners.length) return null
  return {
    left: left + side('x', Math.min, width),
    right: left + side('x', Math.max, width),
    top: top + side('y', Math.min, height),
    bottom: top + side('y', Math.max, height),
  }
}

export const boxes = (names) =>
  names.flatMap((name) =>
    [...document.querySelectorAll(name)]
      .filter((node) => node.checkVisibility?.() ?? node.offsetParent)
      .filter((node) => node.textContent.trim() || node.matches('button, input, canvas, section'))
      .map((node) => {
        const { left, right, top, bottom } = node.getBoundingClientRect()
        return { name: node.id || `${name} ${node.textContent.trim().slice(0, 20)}`, left, right, top, bottom }
      }),
  )

export const overlap = (a, b) =>
  a &&
  b &&
  Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 &&
  Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1
