import { Client, type ClientConfig } from "pg"

/** Runs `use` on a connection of its own, which ends with it. */
export const withClient = async <A>(config: ClientConfig, use: (client: Client) => Promise<A>): Promise<A> => {
  const client = new Client(config)
  client.on("error", () => undefined) // the query itself fails; without a listener an error would terminate the process
  try {
    await client.connect()
    return await use(client)
  } finally {
    await client.end().catch(() => undefined)
  }
}
