// The module as the page sees it: texts in and out, and one lab per instance. The audio thread uses the exports
// as they are.

const encoder = new TextEncoder()
const decoder = new TextDecoder()

export class Kernel {
  constructor(module) {
    this.instance = new WebAssembly.Instance(module)
    this.exports = this.instance.exports
    this.exports._initialize()
  }

  text(pointer) {
    if (!pointer) return ''
    const bytes = new Uint8Array(this.exports.memory.buffer)
    return decoder.decode(bytes.subarray(pointer, bytes.indexOf(0, pointer)))
  }

  // Calls work(pointer, ...) with texts, or their bytes, that live as long as the call.
  withTexts(texts, work) {
    const pointers = texts.map((text) => this.place(text))
    try {
      return work(...pointers)
    } finally {
      for (const pointer of pointers) this.exports.lab_release(pointer)
    }
  }

  place(text) {
    const bytes = typeof text === 'string' ? encoder.encode(text) : text
    const pointer = this.exports.lab_reserve(bytes.length + 1)
    if (!pointer) throw new Error('out of memory')
    const memory = new Uint8Array(this.exports.memory.buffer)
    memory.set(bytes, pointer)
    memory[pointer + bytes.length] = 0
    return pointer
  }

  // All that this instance is, to be another's memory.
  image() {
    return this.exports.memory.buffer.slice(0)
  }
}

export function hasSimd() {
  // a function that returns a vector: i32.const 0, i8x16.splat, i8x16.popcnt
  return WebAssembly.validate(
    new Uint8Array([
      0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11,
    ]),
  )
}
