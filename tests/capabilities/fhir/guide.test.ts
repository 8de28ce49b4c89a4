/** The commands of docs/fhir.md run as written, one after the other. */
import { expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import { testServer } from "../../support/server.ts"
import { inDays } from "../../support/world.ts"
import { fhirWorld, idOf, smartClient } from "./support.ts"

const server = testServer()
const blocks = [...readFileSync("docs/fhir.md", "utf8").matchAll(/```sh\n([\s\S]*?)```/g)].map(([, text = ""]) => text)

const run = async (script: string, variables: Readonly<Record<string, string>>) => {
  const shell = Bun.spawn(["bash", "-eu", "-c", script], {
    env: { PATH: process.env.PATH ?? "", ...variables },
    stdout: "pipe",
    stderr: "pipe"
  })
  const [out, errors, code] = await Promise.all([
    new Response(shell.stdout).text(),
    new Response(shell.stderr).text(),
    shell.exited
  ])
  expect([script, errors, code]).toEqual([script, "", 0])
  return out
}

test("the guide's commands switch FHIR on, search, book, cancel and get a token", async () => {
  expect(blocks.length).toBe(5)
  const [switching = "", first = "", booking = "", cancelling = "", exchanging = ""] = blocks
  const made = await fhirWorld(server.current, { organisation: { fhir: { enabled: false } } })
  const variables = { BASE_URL: server.current.url, KEY: made.key }
  expect((await made.send("/Schedule")).status).toBe(404)
  expect(await run(switching, variables)).toContain('"fhir":{"enabled":true}')
  const [schedule] = await made.schedules()
  const searched = await run(first, { ...variables, SCHEDULE: schedule.id })
  expect(searched).toContain('"resourceType":"CapabilityStatement"')
  expect(searched).toContain('"status":"free"')
  const [slot] = await made.slots(new Date(inDays(3, 9) * 1000).toISOString(), "&status=free")
  const patient = idOf(await made.patient())
  const found = { START: slot.start, END: slot.end, SLOT: slot.id, PATIENT: patient }
  const booked = JSON.parse(await run(booking, { ...variables, ...found }))
  expect(booked.status).toBe("booked")
  const cancelled = JSON.parse(await run(cancelling, { ...variables, APPOINTMENT: booked.id }))
  expect(cancelled).toMatchObject({ status: "cancelled", cancelationReason: { coding: [{ code: "pat" }] } })

  const client = await smartClient(server.current, made, ["system/Slot.rs", "system/Appointment.crus"])
  const ASSERTION = await client.assertion()
  const token = JSON.parse(await run(exchanging, { ...variables, ASSERTION }))
  // The letters of a scope have the order of SMART
  expect(token).toMatchObject({
    token_type: "bearer",
    expires_in: 300,
    scope: "system/Slot.rs system/Appointment.crus"
  })
})
