// One analysis at work in its own thread: `found` resolves to what the worker finds, or to null when it is cancelled.

export class Analysis {
  constructor({ samples, rate }, name, progress) {
    this.worker = new Worker(new URL('worker.js', import.meta.url))
    this.found = new Promise((resolve, reject) => {
      this.cancel = () => this.end(resolve, null)
      this.worker.onerror = (event) => this.end(reject, new Error(event.message || 'the analysis broke down'))
      this.worker.onmessage = ({ data }) => {
        if (data.fraction !== undefined) progress(data.fraction)
        else if (data.error) this.end(reject, new Error(data.error))
        else this.end(resolve, data)
      }
    })
    this.worker.postMessage({ samples, rate, name })
  }

  end(tell, what) {
    this.worker.terminate()
    tell(what)
  }
}
