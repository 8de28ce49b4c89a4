/** The command line as a server of the Model Context Protocol. */
import { expect, test } from "bun:test"
import { testServer } from "../support/server.ts"
import { inDays, makeWorld, random } from "../support/world.ts"

const server = testServer()

/** Asks the server one message after another, and returns the answers by id. */
const session = async (key: string, words: ReadonlyArray<string>, messages: ReadonlyArray<Record<string, unknown>>) => {
  const child = Bun.spawn([process.execPath, "clients/typescript/src/cli/main.ts", "mcp", ...words], {
    env: { PATH: process.env.PATH ?? "", SPRECHSTUNDE_URL: server.current.url, SPRECHSTUNDE_API_KEY: key },
    stdin: "pipe",
    stdout: "pipe"
  })
  for (const message of messages) child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`)
  child.stdin.end()
  const lines = (await new Response(child.stdout).text()).trim().split("\n")
  expect(await child.exited).toBe(0)
  return new Map(lines.map((line) => JSON.parse(line)).map((answer) => [answer.id, answer]))
}
const call = (id: number, name: string, given: object) => ({
  id,
  method: "tools/call",
  params: { name, arguments: given }
})
const start = { id: 0, method: "initialize", params: { protocolVersion: "2025-06-18", capabilities: {} } }

test("reads by key, and changes nothing without --write", async () => {
  const world = await makeWorld(server.current)
  const answers = await session(
    world.key,
    [],
    [
      start,
      { method: "notifications/initialized" },
      { id: 1, method: "tools/list" },
      call(2, "listAppointmentTypes", {}),
      call(3, "hold", {}),
      { id: 4, method: "unknown" },
      call(5, "searchSlots", {
        ...{ shop_uid: world.shop_uid, appointment_type_uid: world.type_uid },
        ...{ from: inDays(5), to: inDays(6) }
      })
    ]
  )
  expect(answers.get(0).result).toMatchObject({ protocolVersion: "2025-06-18", serverInfo: { name: "sprechstunde" } })
  const { tools } = answers.get(1).result
  const names = tools.map(({ name }: { name: string }) => name)
  expect(names).toContain("listAppointments")
  expect(names).not.toContain("hold")
  expect(tools.every((tool: { annotations: { readOnlyHint: boolean } }) => tool.annotations.readOnlyHint)).toBe(true)
  expect(JSON.stringify(tools)).not.toContain("$ref")
  expect(answers.get(2).result).toMatchObject({
    isError: false,
    content: [{ text: expect.stringContaining(world.type_uid) }]
  })
  expect(answers.get(3).result.isError).toBe(true)
  expect(answers.get(4).error.code).toBe(-32601)
  expect(JSON.parse(answers.get(5).result.content[0].text).slots).not.toBeEmpty()
})

test("with --write holds, confirms, moves and cancels, step by step", async () => {
  const world = await makeWorld(server.current)
  const tools = async (name: string, given: object) => {
    const answers = await session(world.key, ["--write"], [start, call(1, name, given)])
    const { content, isError } = answers.get(1).result
    expect([name, isError, content[0].text]).toEqual([name, false, expect.anything()])
    return JSON.parse(content[0].text)
  }
  const start_date = inDays(5, 10)
  const { hold_uid } = await tools("hold", {
    ...{ shop_uid: world.shop_uid, shop_customer_id: random("customer"), doctor_uid: world.doctor },
    ...{ appointment_type_uid: world.type_uid, start_date }
  })
  const { uid } = await tools("confirm", { hold_uid })
  const moved = await tools("move", {
    appointment_uid: uid,
    new_start_date: inDays(6, 10),
    new_doctor_uid: world.doctor
  })
  const cancelled = await tools("cancel", { meeting_uid: moved.appointment_uid, reason: "asked to" })
  expect(cancelled.status).toBe("cancelled")
})
