// A scene file's text into a document and back: the library reads and writes it, in the same words as the program.

const encoder = new TextEncoder()

export function read(kernel, lab, name, text) {
  const bytes = encoder.encode(text)
  const e = kernel.exports
  const result = kernel.withTexts([name, bytes], (n, t) => e.lab_doc_read(lab, n, t, bytes.length))
  if (result !== 0) throw new Error(kernel.text(e.lab_error(lab)))
}

// What the scene is after presets and settings.
export function write(kernel, lab) {
  const e = kernel.exports
  const pointer = e.lab_doc_text(lab)
  if (!pointer) throw new Error(kernel.text(e.lab_error(lab)) || 'out of memory')
  const text = kernel.text(pointer)
  e.lab_release(pointer)
  return text
}
