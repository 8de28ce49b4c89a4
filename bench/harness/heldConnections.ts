/** Concurrent connections of slow clients. */
import { connect } from "node:net"

/** Milliseconds: how long the connections are held, and the interval at which slow senders send a byte. */
const [HELD, DRIP] = [2_000, 250]

export type Slowness = "sends" | "reads"

const open = (port: number, bytes: string, slowly: Slowness) => {
  const socket = connect(port, "127.0.0.1")
  let head = ""
  const { promise: answered, resolve } = Promise.withResolvers<void>()
  const dripping = setInterval(() => slowly === "sends" && socket.writable && socket.write("x"), DRIP)
  socket.once("data", (chunk) => {
    if (slowly === "reads") socket.pause()
    head = chunk.toString("latin1", 0, 16)
    resolve()
  })
  socket.on("error", () => {}) // refused while it was sending
  socket.on("close", resolve)
  socket.write(bytes)
  /** Returns the status of the response; 0 if there was none. */
  const end = () => {
    clearInterval(dripping)
    socket.destroy()
    return Number(head.split(" ")[1] ?? 0)
  }
  return { answered, end }
}

/** Sends these bytes over this many connections and holds them. `reads`: one after another, each reads only the start of the response. */
export const holdTogether = async (port: number, connections: number, bytes: string, slowly: Slowness) => {
  const held = []
  for (let index = 0; index < connections; index++) {
    const socket = open(port, bytes, slowly)
    if (slowly === "reads") await socket.answered
    held.push(socket)
  }
  await Bun.sleep(HELD)
  return held.map(({ end }) => end())
}
