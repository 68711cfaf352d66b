// A body to look at, made by the library: vertices at rest, where on the body each is, and how each mode moves it.

export class Shape {
  constructor(kernel, pointer) {
    const e = kernel.exports
    const floats = (at, length) => new Float32Array(e.memory.buffer, at, length).slice()
    const numbers = (at, length) => new Uint32Array(e.memory.buffer, at, length).slice()
    const vertices = e.lab_shape_vertex_count(pointer)
    this.kernel = kernel
    this.pointer = pointer
    this.kind = kernel.text(e.lab_shape_kind(pointer))
    this.vertices = floats(e.lab_shape_vertices(pointer), 3 * vertices)
    this.places = floats(e.lab_shape_places(pointer), 2 * vertices)
    this.faces = numbers(e.lab_shape_faces(pointer), 3 * e.lab_shape_face_count(pointer))
    this.lines = numbers(e.lab_shape_lines(pointer), 2 * e.lab_shape_line_count(pointer))
    this.modes = Array.from({ length: e.lab_shape_mode_count(pointer) }, (_, i) => ({
      hz: e.lab_shape_mode_hz(pointer, i),
      displacement: floats(e.lab_shape_motion(pointer, i), 3 * vertices),
    }))
  }

  // [x, y, z, nx, ny, nz] of a place at rest.
  at(u, v) {
    const e = this.kernel.exports
    const place = e.lab_shape_place(this.pointer, u, v)
    return Array.from(new Float64Array(e.memory.buffer, place, 6))
  }
}

// Null for a body that is not a shape. Its memory is the document's: it goes when the scene goes.
export function shapeOf(scene, body, rate) {
  const { kernel, lab } = scene
  const e = kernel.exports
  const pointer = kernel.withTexts([body], (name) => e.lab_shape_create(lab, name, rate))
  if (pointer) return new Shape(kernel, pointer)
  const refused = scene.refusal()
  if (refused) throw new Error(refused)
  return null
}
