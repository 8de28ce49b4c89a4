/** `ETag` on reads, `If-Match` on changes. Rules 2.6.5 and 2.6.6. That every kind of record has them: `document.test.ts`. */
import { beforeAll, describe, expect, test } from "bun:test"
import { present } from "../support/body.ts"
import { someOf } from "../support/scale.ts"
import { type Answer, testServer } from "../support/server.ts"
import { CONSULTATION, inDays } from "../support/world.ts"
import { keyKind, type Operation, operations } from "./matrix/operations.ts"
import { pathFor } from "./matrix/samples.ts"
import { kindsOf, makeTenant, type Tenant } from "./matrix/tenant.ts"

// without jobs: nothing changes but by requests
const server = testServer({ ROLE: "http" })
let tenant: Tenant
beforeAll(async () => {
  tenant = await makeTenant(server.current)
})

/** Unique, so that no record or change is like an earlier one. */
let turns = 0
const turn = () => ++turns

const tagOf = ({ headers }: Answer) => headers.get("etag") ?? "none"
const statusesOf = (answers: ReadonlyArray<Answer>) => answers.map(({ status }) => status)
const atOnce = (send: () => Promise<Answer>) => Promise.all(Array.from({ length: 5 }, send))

const conditional = operations.filter(({ parameters }) => parameters.some(({ name }) => name === "if-match"))
/** The list that has the record of an operation. */
const listOf = ({ path }: Operation) =>
  operations.find(
    (one) => one.method === "GET" && one.path.replace(/\/$/, "") === path.slice(0, path.lastIndexOf("/{"))
  )
const changing = conditional.flatMap((operation) => {
  const list = operation.method === "PATCH" && operation.path.endsWith("}") ? listOf(operation) : undefined
  return list === undefined ? [] : [[operation, list] as const]
})

/** A change of one field, the first of these that the record has. */
const changeOf = ({ body }: Operation) => {
  const at = turn()
  const values = {
    display_name: `Name ${at}`,
    name: `Name ${at}`,
    title: `Title ${at}`,
    profile: { city: `City ${at}` },
    minutes_before: 60 + at,
    stock: 10 + at,
    url: `http://127.0.0.1:9/${at}`,
    need_reason: `Reason ${at}`,
    message_text: `Text ${at}`,
    end_time: 720 + at,
    to: inDays(201) + at
  }
  const [name, value] = present(Object.entries(values).find(([name]) => name in (body?.properties ?? {})))
  return { [name]: value }
}

const asking = async (operation: Operation) => {
  const [kind] = kindsOf(operation, keyKind(operation))
  const as = kind === undefined ? {} : await tenant.credentials[kind]()
  const path = await pathFor(operation, tenant)
  return (tag: string, body?: object, at = path) =>
    server.current.api(operation.method, at, {
      ...as,
      ...(body !== undefined && { body }),
      headers: { "if-match": tag }
    })
}

test("every record is changed under the current tag of its list or its own, once of several times at once, and under no older one", async () => {
  const results = []
  const some = someOf(changing, 2)
  for (const [operation, list] of some) {
    const ask = await asking(operation)
    const send = (tag: string) => ask(tag, changeOf(operation))
    const read = await asking(list)
    const range = list.path.endsWith("overrides") ? `?from=${inDays(299)}&to=${inDays(301)}` : ""
    const all = await read("*", undefined, (await pathFor(list, tenant)) + range)
    const first = await send(tagOf(all))
    const second = await send(`"other", ${tagOf(first)}`)
    const stale = [await send(tagOf(all)), await send(tagOf(first))]
    const several = await atOnce(() => send(tagOf(second)))
    results.push([operation.id, ...statusesOf([first, second, ...stale]), ...statusesOf(several).toSorted()])
  }
  expect(changing.length).toBeGreaterThan(20)
  expect(results).toEqual(some.map(([{ id }]) => [id, 200, 200, 412, 412, 200, 412, 412, 412, 412]))
})

test("no record is deleted under another tag", async () => {
  const removing = conditional.filter(({ method }) => method === "DELETE")
  const results = []
  for (const operation of removing) results.push([operation.id, (await (await asking(operation))('"x"')).status])
  expect(results.length).toBeGreaterThan(12)
  expect(results).toEqual(removing.map(({ id }) => [id, 412]))
})

const types = "/v1/management/scheduling/appointment-types"
const typeOf = async () => {
  const { key, api } = tenant.world
  const { uid } = (await api("POST", types, { name: `Type ${turn()}`, ...CONSULTATION })).body
  return {
    read: async () => tagOf(await api("GET", types)),
    send: (method: string, tag?: string) =>
      server.current.api(method, `${types}/${uid}`, {
        key,
        ...(method === "PATCH" && { body: { name: `Type ${turn()}` } }),
        ...(tag !== undefined && { headers: { "if-match": tag } })
      })
  }
}

describe("a record", () => {
  test("is changed under no tag that is weak, foreign or malformed", async () => {
    const { read, send } = await typeOf()
    const tag = await read()
    expect(tag).toMatch(/^"[\w.-]+"$/)
    expect(await read()).toBe(tag)
    const hash = "x".repeat(22)
    const foreign = `"${hash}.${Buffer.from('{"limit":"1000000"}').toString("base64url")}"`
    for (const other of [`W/${tag}`, '""', "x", foreign, `"${hash}.e30"`, `"${hash}.!"`, tag.slice(1, -1)])
      expect([other, await send("PATCH", other)]).toMatchObject([
        other,
        { status: 412, body: { code: "precondition_failed" } }
      ])
    expect(await read()).toBe(tag)
    expect((await send("PATCH")).status).toBe(200)
  })

  test("is deleted only under its tag", async () => {
    const { read, send } = await typeOf()
    const before = await read()
    expect((await send("PATCH")).status).toBe(200)
    expect((await send("DELETE", before)).status).toBe(412)
    expect((await send("DELETE", await read())).status).toBe(204)
    expect((await send("DELETE", "*")).status).toBe(404)
    expect((await send("PATCH", "*")).status).toBe(404)
  })
})

test("a change without permission is 403 before its tag is checked", async () => {
  const { world } = tenant
  const key = await world.keyWith("scheduling:read")
  const path = `${types}/${world.type_uid}`
  expect((await server.current.api("PATCH", path, { key, body: {}, headers: { "if-match": '"x"' } })).status).toBe(403)
})

test("the tag of a list without the record is refused, however current it is", async () => {
  const { key, api, shop_uid } = tenant.world
  const patients = "/v1/management/patients"
  const make = (email: string) => api("POST", patients, { shop_uid, profile: { email } })
  const { uid } = (await make("mine@example.org")).body
  expect((await make("other@example.org")).status).toBe(201)
  const change = async (email: string) => {
    const headers = { "if-match": tagOf(await api("GET", `${patients}?email=${email}`)) }
    const body = { profile: { city: "Berlin" } }
    return (await server.current.api("PATCH", `${patients}/${uid}`, { key, headers, body })).status
  }
  const statuses = [
    await change("other@example.org"),
    await change("none@example.org"),
    await change("mine@example.org")
  ]
  expect(statuses).toEqual([412, 412, 200])
})
