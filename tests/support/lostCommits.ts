import { type AddressInfo, connect, createServer, type Socket } from "node:net"
import { join } from "node:path"

/** Messages of PostgreSQL's protocol: the client's simple query or its Bind of the prepared one, and the server's CommandComplete. */
const COMMIT_MESSAGES = ["Q\0\0\0\u000bCOMMIT\0", "\0commit\0"].map((text) => Buffer.from(text, "latin1"))
const DONE = Buffer.from("C\0\0\0\u000bCOMMIT\0", "latin1")

/** The address of the test run's server: a folder of sockets, or a host. */
const upstream = (databaseUrl: string): Socket => {
  const { searchParams, hostname, port } = new URL(databaseUrl)
  const folder = searchParams.get("host")
  return folder === null ? connect(Number(port || 5432), hostname) : connect(join(folder, `.s.PGSQL.${port || 5432}`))
}

/**
 * A proxy to a database that can break a connection at its COMMIT: `before` the server has read it, or
 * `after` it has committed, before the reply is delivered.
 */
export const losingCommits = async (databaseUrl: string) => {
  let requested: "before" | "after" | undefined
  let lost = 0
  let goesAway = false
  let isAway = false
  const open = new Set<Socket>()
  const listener = createServer((client) => {
    if (isAway) return void client.destroy()
    const server = upstream(databaseUrl)
    const cut = () => {
      requested = undefined
      isAway = goesAway
      lost++
      client.destroy()
      server.destroy()
    }
    for (const [one, other, messages, when] of [
      [client, server, COMMIT_MESSAGES, "before"],
      [server, client, [DONE], "after"]
    ] as const) {
      open.add(one)
      one.on("error", () => one.destroy())
      one.on("close", () => {
        open.delete(one)
        other.end()
      })
      one.on("data", (bytes: Buffer) =>
        requested === when && messages.some((message) => bytes.includes(message)) ? cut() : other.write(bytes)
      )
    }
  })
  await new Promise<void>((listening) => listener.listen(0, "127.0.0.1", listening))
  // a server that listens on a port has an address of this type
  const { port } = listener.address() as AddressInfo
  const url = new URL(databaseUrl)
  return {
    url: `postgresql://postgres@127.0.0.1:${port}${url.pathname}`,
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
    stop: () => {
      listener.close()
      for (const side of open) side.destroy()
    }
  }
}
