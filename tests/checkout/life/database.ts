/** The test's own statements, prepared once on a connection of its own. */
import { Client } from "pg"

export type Ask = <Row extends object = Record<string, unknown>>(
  text: string,
  values: ReadonlyArray<unknown>
) => Promise<ReadonlyArray<Row>>

export const connected = async (url: string): Promise<{ readonly ask: Ask; readonly end: () => Promise<void> }> => {
  const client = new Client({ connectionString: url })
  await client.connect()
  const names = new Map<string, string>()
  return {
    ask: async (text, values) => {
      const name = names.get(text) ?? `statement_${names.size}`
      names.set(text, name)
      return (await client.query({ name, text, values: [...values] })).rows
    },
    end: () => client.end()
  }
}
