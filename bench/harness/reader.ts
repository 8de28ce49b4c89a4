/** A worker that requests a URL repeatedly, outside of the benchmark's event loop, which is busy with its own requests. */
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

/** A message with a URL starts the requests; null ends them and is answered with their durations in milliseconds. */
self.onmessage = ({ data }: MessageEvent<string | null>) => {
  address = data ?? undefined
  if (data === null) {
    postMessage(times)
    return
  }
  times = []
  read()
}
