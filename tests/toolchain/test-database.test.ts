import { expect, test } from "bun:test"
import { Client } from "pg"
import { freshDatabase } from "../support/postgres.ts"

const rowsOf = async (url: string, text: string) => {
  const client = new Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query(text)
  await client.end()
  return rows
}

test("each caller gets its own copy of a template that is made once", async () => {
  let prepared = 0
  const template = {
    name: "toolchain_template",
    prepare: async (url: string) => {
      prepared++
      await rowsOf(url, "create table things as select 1 as thing")
    }
  }
  const [one, two] = await Promise.all([freshDatabase(template), freshDatabase(template)])
  await rowsOf(one.url, "insert into things values (2)")
  expect(await rowsOf(one.url, "select thing from things order by 1")).toEqual([{ thing: 1 }, { thing: 2 }])
  expect(await rowsOf(two.url, "select thing from things")).toEqual([{ thing: 1 }])
  expect(prepared).toBe(1)
})

test("a dropped database no longer exists", async () => {
  const database = await freshDatabase()
  await database.drop()
  expect(rowsOf(database.url, "select 1")).rejects.toThrow("does not exist")
})
