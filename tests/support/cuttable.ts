import { type AddressInfo, connect, createServer, type Socket } from "node:net"

/**
 * A TCP proxy to a local server that can be cut, so that all its connections break and none can be opened until it is
 * restored, or slowed down.
 */
export const cuttable = async (port: number) => {
  const open = new Set<Socket>()
  let broken = false
  let delayMs = 0
  /** Forwards data in order, each chunk with the configured delay. */
  const lead = (from: Socket, to: Socket) => {
    let passed = Promise.resolve()
    const after = (step: () => void) => {
      passed = passed.then(() => (delayMs === 0 ? undefined : Bun.sleep(delayMs))).then(step)
    }
    from.on("data", (piece) => {
      after(() => void to.write(piece))
      if (to.writableLength > 1_048_576) {
        from.pause()
        to.once("drain", () => from.resume())
      }
    })
    from.on("close", () => after(() => void to.end()))
  }
  const listener = createServer((side) => {
    if (broken) return void side.destroy()
    const other = connect(port, "127.0.0.1")
    for (const [one, another] of [
      [side, other],
      [other, side]
    ] as const) {
      open.add(one)
      one.on("error", () => one.destroy())
      one.on("close", () => open.delete(one))
      lead(one, another)
    }
  })
  await new Promise<void>((listening) => listener.listen(0, "127.0.0.1", listening))
  // a server that listens on a port has an address of this type
  const { port: own } = listener.address() as AddressInfo
  const drop = () => {
    for (const side of open) side.destroy()
  }
  return {
    port: own,
    url: `http://127.0.0.1:${own}`,
    cut: () => {
      broken = true
      drop()
    },
    /** Adds this delay to each chunk in either direction, in milliseconds. */
    slow: (ms: number) => {
      delayMs = ms
    },
    mend: () => {
      broken = false
      delayMs = 0
    },
    stop: () => {
      drop()
      listener.close()
    }
  }
}
