import { type AddressInfo, connect, createServer, type Socket } from "node:net"
import { join } from "node:path"

/** Hands on what comes from one side of a connection to the other. */
type Lead = (from: Socket, to: Socket, side: "client" | "server") => void

/** A TCP proxy on a free port of this machine. While `isClosed`, a connection is closed at once. */
export const relay = async (open: () => Socket, lead: Lead, isClosed: () => boolean = () => false) => {
  const sides = new Set<Socket>()
  const listener = createServer((client) => {
    if (isClosed()) return void client.destroy()
    const server = open()
    for (const [one, other, side] of [
      [client, server, "client"],
      [server, client, "server"]
    ] as const) {
      sides.add(one)
      one.on("error", () => one.destroy())
      one.on("close", () => sides.delete(one))
      lead(one, other, side)
    }
  })
  await new Promise<void>((listening) => listener.listen(0, "127.0.0.1", listening))
  // a server that listens on a port has an address of this type
  const { port } = listener.address() as AddressInfo
  const drop = () => {
    for (const side of sides) side.destroy()
  }
  return {
    port,
    /** Breaks all connections. */
    drop,
    stop: () => {
      listener.close()
      drop()
    }
  }
}

/** A connection to the test run's database server: by a folder of sockets, or a host. */
export const toDatabase = (databaseUrl: string) => (): Socket => {
  const { searchParams, hostname, port } = new URL(databaseUrl)
  const folder = searchParams.get("host")
  return folder === null ? connect(Number(port || 5432), hostname) : connect(join(folder, `.s.PGSQL.${port || 5432}`))
}

/** The same database, with the same login, by the proxy's port. */
export const throughPort = (databaseUrl: string, port: number) => {
  const { username, password, pathname } = new URL(databaseUrl)
  return `postgresql://${username || "postgres"}:${password}@127.0.0.1:${port}${pathname}`
}
