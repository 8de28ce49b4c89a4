/** A line that is slow or loses packets: a UDP proxy before a relay. */
import { createSocket, type Socket } from "node:dgram"

/** How long a packet may wait for its turn, milliseconds; later ones are lost, as in a router. */
const QUEUE_MS = 300

/** One direction of one participant: what has been sent is over at `free`. */
const lane = (bitsPerSecond: () => number, isLost: () => boolean) => {
  let free = 0
  return (packet: Uint8Array, send: () => void) => {
    const now = performance.now()
    const wait = Math.max(0, free - now)
    if (isLost() || wait > QUEUE_MS) return
    free = now + wait + (packet.length * 8_000) / bitsPerSecond()
    if (wait === 0) send()
    else setTimeout(send, wait)
  }
}

const bound = (socket: Socket) => new Promise<void>((done) => socket.bind(0, "127.0.0.1", done))

/** Stands before the UDP port; each participant has a line of their own. */
export const weakLine = async (port: number) => {
  let [rate, share] = [Number.POSITIVE_INFINITY, 0]
  const front = createSocket("udp4")
  await bound(front)
  const lines = new Map<number, (packet: Uint8Array) => void>()
  const sockets: Array<Socket> = [front]
  const line = (client: number) => {
    const behind = createSocket("udp4")
    sockets.push(behind)
    const up = lane(
      () => rate,
      () => Math.random() < share
    )
    const down = lane(
      () => rate,
      () => false
    )
    behind.on("message", (packet) => down(packet, () => front.send(packet, client, "127.0.0.1")))
    const send = (packet: Uint8Array) => up(packet, () => behind.send(packet, port, "127.0.0.1"))
    lines.set(client, send)
    return send
  }
  front.on("message", (packet, from) => (lines.get(from.port) ?? line(from.port))(packet))
  return {
    port: front.address().port,
    /** Each participant sends and receives at most this. */
    limit: (bitsPerSecond: number) => {
      rate = bitsPerSecond
    },
    /** This share of what each participant sends is lost. */
    lose: (fraction: number) => {
      share = fraction
    },
    stop: () => {
      for (const socket of sockets) socket.close()
    }
  }
}
