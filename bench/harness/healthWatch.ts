/** A worker that asks `/healthz` again and again, beside the event loop of the benchmark, and tells the longest answer. */
let longest = 0
let address: string | undefined

const watch = async () => {
  while (address !== undefined) {
    const start = performance.now()
    await fetch(address)
    longest = Math.max(longest, performance.now() - start)
    await Bun.sleep(10)
  }
}

/** An address starts watching; null ends it and answers with the longest time, in milliseconds. */
self.onmessage = ({ data }: MessageEvent<string | null>) => {
  if (data === null) {
    address = undefined
    postMessage(longest)
    return
  }
  longest = 0
  address = data
  watch()
}
