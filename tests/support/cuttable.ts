import { connect, type Socket } from "node:net"
import { relay } from "./relay.ts"

/**
 * A TCP proxy to a local server that can be cut, so that all its connections break and none can be opened until it is
 * restored, or slowed down.
 */
export const cuttable = async (target: number) => {
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
  const { port, drop, stop } = await relay(
    () => connect(target, "127.0.0.1"),
    lead,
    () => broken
  )
  return {
    port,
    url: `http://127.0.0.1:${port}`,
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
    stop
  }
}
