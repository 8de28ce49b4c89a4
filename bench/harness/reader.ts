/** A worker that reads an address again and again, beside the event loop of the benchmark, which is busy with its own requests. */
let address: string | undefined
let times: Array<number> = []

const read = async () => {
  while (address !== undefined) {
    const begun = performance.now()
    const response = await fetch(address, { headers: { "accept-encoding": "identity" } })
    await response.text()
    if (response.status !== 200) throw new Error(`${address}: ${response.status}`)
    times.push(performance.now() - begun)
  }
}

/** An address starts the reading; null ends it and answers with the milliseconds of each. */
self.onmessage = ({ data }: MessageEvent<string | null>) => {
  address = data ?? undefined
  if (data === null) {
    postMessage(times)
    return
  }
  times = []
  read()
}
