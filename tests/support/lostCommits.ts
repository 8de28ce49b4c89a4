import type { Socket } from "node:net"
import { relay, throughPort, toDatabase } from "./relay.ts"

/** Messages of PostgreSQL's protocol: the client's simple query or its Bind of the prepared one, and the server's CommandComplete. */
const COMMIT_MESSAGES = ["Q\0\0\0\u000bCOMMIT\0", "\0commit\0"].map((text) => Buffer.from(text, "latin1"))
/** Bind of the statement that asks for a transaction's id: on a cluster each read is in a transaction as well, but has none. */
const CHANGE = Buffer.from("\0transaction\0", "latin1")
const DONE = Buffer.from("C\0\0\0\u000bCOMMIT\0", "latin1")

/**
 * A proxy to a database that can break a connection at the COMMIT of a change: `before` the server has read it, or
 * `after` it has committed, before the reply is delivered.
 */
export const losingCommits = async (databaseUrl: string) => {
  let requested: "before" | "after" | undefined
  let lost = 0
  let goesAway = false
  let isAway = false
  /** The clients within a transaction that has an id. */
  const changing = new WeakSet<Socket>()
  const lead = (from: Socket, to: Socket, side: "client" | "server") => {
    const client = side === "client" ? from : to
    const [messages, when] = side === "client" ? [COMMIT_MESSAGES, "before"] : [[DONE], "after"]
    const cut = () => {
      requested = undefined
      isAway = goesAway
      lost++
      from.destroy()
      to.destroy()
    }
    from.on("close", () => void to.end())
    from.on("data", (bytes: Buffer) => {
      if (side === "client" && bytes.includes(CHANGE)) changing.add(client)
      const ends = messages.some((message) => bytes.includes(message))
      if (ends && requested === when && changing.has(client)) return cut()
      if (ends && side === "server") changing.delete(client)
      to.write(bytes)
    })
  }
  const { port, stop } = await relay(toDatabase(databaseUrl), lead, () => isAway)
  return {
    url: throughPort(databaseUrl, port),
    /** Runs `work`, during which exactly one COMMIT is lost; with `away` no connection is accepted from then on, until the end of `work`. */
    during: async <A>(when: "before" | "after", work: () => Promise<A>, away = false): Promise<A> => {
      const earlier = lost
      requested = when
      goesAway = away
      const result = await work()
      isAway = false
      if (lost !== earlier + 1) throw new Error(`${lost - earlier} commits were lost`)
      return result
    },
    stop
  }
}
