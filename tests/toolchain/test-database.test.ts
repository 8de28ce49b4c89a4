import { expect, test } from "bun:test"
import { freshDatabase, rowsAt } from "../support/postgres.ts"

test("each caller gets its own copy of a template that is made once", async () => {
  let prepared = 0
  const template = {
    name: "toolchain_template",
    prepare: async (url: string) => {
      prepared++
      await rowsAt(url, "create table things as select 1 as thing")
    }
  }
  const [one, two] = await Promise.all([freshDatabase(template), freshDatabase(template)])
  await rowsAt(one.url, "insert into things values (2)")
  expect(await rowsAt(one.url, "select thing from things order by 1")).toEqual([{ thing: 1 }, { thing: 2 }])
  expect(await rowsAt(two.url, "select thing from things")).toEqual([{ thing: 1 }])
  expect(prepared).toBe(1)
})

test("a dropped database no longer exists", async () => {
  const database = await freshDatabase()
  await database.drop()
  expect(rowsAt(database.url, "select 1")).rejects.toThrow("does not exist")
})
