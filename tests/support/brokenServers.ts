/** Servers that accept connections and never finish an answer. */
import { type AddressInfo, createServer, type Socket } from "node:net"

const INTERVAL_MS = 100
/** Writes the first text when the client has sent something, or at once; then the next one again and again. */
const repeating = (first: string, next: string) => (socket: Socket) => {
  socket.write(first)
  const timer = setInterval(() => socket.write(next), INTERVAL_MS)
  socket.on("close", () => clearInterval(timer))
}
const head = "HTTP/1.1 200 OK\r\n"
const complete = `${head}content-type: application/json\r\ncontent-length: 1000000\r\n\r\n`

export const brokenKinds = ["silent", "slow", "headless", "enormous"] as const
export type BrokenKind = (typeof brokenKinds)[number]

const enormous = (socket: Socket) => {
  socket.write(`${head}content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n`)
  const chunk = `10000\r\n${"[".repeat(65_536)}\r\n`
  const more = () => {
    while (!socket.destroyed && socket.write(chunk));
  }
  socket.on("drain", more)
  more()
}

/** What each kind does when the first bytes of a request have arrived. */
const answers: Readonly<Record<BrokenKind, (socket: Socket) => void>> = {
  silent: () => undefined,
  slow: repeating(complete, "["),
  headless: repeating(head, "x-more: 1\r\n"),
  enormous
}
/** The same of servers that speak first, as those of mails do. */
const greetings: Readonly<Record<BrokenKind, (socket: Socket) => void>> = {
  silent: () => undefined,
  slow: repeating("2", "2"),
  headless: repeating("220-", "more\r\n220-"),
  enormous: repeating("220-", "x".repeat(65_536))
}

/** Its connections take turns in these kinds. */
export const brokenServer = async (...kinds: readonly [BrokenKind, ...ReadonlyArray<BrokenKind>]) => {
  const sockets = new Set<Socket>()
  let accepted = 0
  const next = () => kinds[accepted++ % kinds.length] ?? kinds[0]
  const server = createServer((socket) => {
    const kind = next()
    sockets.add(socket)
    socket.on("error", () => socket.destroy()) // closed while it was written to
    socket.on("close", () => sockets.delete(socket))
    socket.once("data", () => answers[kind](socket))
  })
  const greeting = createServer((socket) => {
    sockets.add(socket)
    socket.on("error", () => socket.destroy())
    socket.on("close", () => sockets.delete(socket))
    socket.on("data", () => undefined)
    greetings[next()](socket)
  })
  const portOf = (of: typeof server) =>
    new Promise<number>((resolve) => of.listen(0, "127.0.0.1", () => resolve((of.address() as AddressInfo).port)))
  const [port, mailPort] = [await portOf(server), await portOf(greeting)]
  return {
    url: `http://127.0.0.1:${port}`,
    mailUrl: `smtp://127.0.0.1:${mailPort}`,
    /** Connections that are open now. */
    open: () => sockets.size,
    /** Connections so far. */
    accepted: () => accepted,
    /** Closes all connections and listens no more. */
    stop: () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      greeting.close()
    }
  }
}
export type BrokenServer = Awaited<ReturnType<typeof brokenServer>>
