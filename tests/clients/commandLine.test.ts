/** The partner's command line, installed as by partners, against a running service. */
import { afterAll, describe, expect, test } from "bun:test"
import { join } from "node:path"
import { Webhook } from "standardwebhooks"
import { exampleEvents } from "../../clients/typescript/src/generated/events.ts"
import { BASE, makePharmacy } from "../pharmacy/pharmacyWorld.ts"
import { installedClient } from "../support/clientPackage.ts"
import { eventually } from "../support/eventually.ts"
import { run } from "../support/processes.ts"
import { isLong, someOf } from "../support/scale.ts"
import { testServer } from "../support/server.ts"
import { makeWorld, type World } from "../support/world.ts"

const server = testServer()
const client = installedClient()

interface Received {
  readonly headers: Record<string, string>
  readonly body: string
}
const received: Array<Received> = []
const receiver = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  fetch: async (request) => {
    received.push({ headers: Object.fromEntries(request.headers), body: await request.text() })
    return new Response(null, { status: 204 })
  }
})
afterAll(() => receiver.stop(true))

const forward = ["--forward", receiver.url.href]
const secret = `whsec_${Buffer.alloc(32, 9).toString("base64")}`

const command = (world: Pick<World, "key">, words: ReadonlyArray<string>, env: Readonly<Record<string, string>> = {}) =>
  run([join(client.project, "node_modules/.bin/sprechstunde"), ...words], {
    env: { SPRECHSTUNDE_URL: server.current.url, SPRECHSTUNDE_API_KEY: world.key, ...env }
  })

const outcome = async (running: ReturnType<typeof run>) => ({ status: await running.ended, said: running.said() })

const verified = (one: Received | undefined, by: string) => new Webhook(by).verify(one?.body ?? "", one?.headers ?? {})

describe("listen", () => {
  test("forwards new events, signed with the secret that it prints", async () => {
    const world = await makeWorld(server.current)
    await outcome(command(world, ["trigger", "patient.created"])) // before: not forwarded
    received.length = 0
    const listening = command(world, ["listen", ...forward, "--type", "rebooked", "--count", "1"])
    await eventually(
      async () => listening.said(),
      (said) => said.includes("Signing secret")
    )
    const triggered = await outcome(command(world, ["trigger", "rebooked"]))
    expect(triggered).toMatchObject({ status: 0, said: expect.stringMatching(/^moved apt_\w+ to apt_\w+\n$/) })
    const { status, said } = await outcome(listening)
    expect([status, said]).toEqual([0, expect.stringMatching(/^evt_\w+ {2}rebooked {2}204 {2}\d+ ms$/m)])
    const [, printed = ""] = /Signing secret: (\S+)/.exec(said) ?? []
    expect(received).toHaveLength(1)
    expect(verified(received[0], printed)).toMatchObject({ type: "rebooked", organisation_uid: world.organisation_uid })
  })

  test("forwards a pharmacy's events by the pharmacy's key, those after a given one in order", async () => {
    const { key, skus } = await makePharmacy(server.current)
    for (const stock of [17, 18, 19])
      await server.current.api("PATCH", `${BASE}/pharmacy_skus/${skus.drops.uid}`, { key, body: { stock } })
    const { body } = await server.current.api("GET", `${BASE}/events`, { key })
    const [first, ...others]: ReadonlyArray<{ readonly id: string }> = body.data
    received.length = 0
    const words = ["listen", ...forward, "--after", first?.id ?? "", "--count", "2", "--secret", secret]
    expect((await outcome(command({ key }, words))).status).toBe(0)
    expect(others).toMatchObject([18, 19].map((stock) => ({ data: { pharmacy_sku: { stock } } })))
    expect(received.map((one) => verified(one, secret))).toEqual(others)
  })

  if (isLong)
    test("continues when the target does not answer", async () => {
      const world = await makeWorld(server.current)
      const listening = command(world, ["listen", "--forward", "http://127.0.0.1:1/", "--count", "2"])
      await eventually(
        async () => listening.said(),
        (said) => said.includes("Signing secret")
      )
      for (let turn = 0; turn < 2; turn++) await outcome(command(world, ["trigger", "patient.created"]))
      expect(await outcome(listening)).toMatchObject({ status: 0, said: expect.stringContaining("no answer") })
    })
})

test("requests tail prints the outcome of the key's requests", async () => {
  const world = await makeWorld(server.current)
  const path = "/v1/management/scheduling/appointments"
  const found = await world.api("GET", path)
  const missing = await world.api("GET", `${path}/apt_none?search=canary`)
  const { status, said } = await outcome(command(world, ["requests", "tail", "--count", "2"]))
  const ids = [found, missing].map(({ headers }) => headers.get("x-request-id"))
  expect([status, said]).toEqual([0, expect.stringContaining(`GET  ${path}  200  `)])
  expect(said).toMatch(new RegExp(`${ids[0]}\\n.*${path}/apt_none {2}404 {2}not_found {2}\\d+ ms {2}${ids[1]}\\n$`))
  expect(said).not.toContain("canary")
})

describe("trigger", () => {
  test("makes a real booking", async () => {
    const world = await makeWorld(server.current)
    const { said } = await outcome(command(world, ["trigger", "patient_doctor_meeting_updated"]))
    const [, uid] = /^booked (apt_\w+)$/m.exec(said) ?? []
    const read = await world.api("GET", `/v1/management/scheduling/appointments/${uid}`)
    expect(read.body).toMatchObject({ status: "confirmed" })
  })

  test("sends the documented example of an event", async () => {
    const world = await makeWorld(server.current)
    // each in a process of its own
    for (const [type, { data }] of someOf(Object.entries(exampleEvents), 12)) {
      received.length = 0
      const { status } = await outcome(command(world, ["trigger", type, ...forward, "--secret", secret]))
      expect(status).toBe(0)
      expect(verified(received[0], secret)).toMatchObject({ type, data })
    }
  })
})

describe("faults are one line and exit code 1", () => {
  test.each([
    ["no key", ["listen", ...forward], { SPRECHSTUNDE_API_KEY: "" }, "401 unauthenticated"],
    ["no address", ["listen"], {}, "--forward"],
    ["an unknown option", ["listen", "--forwards", "x"], {}, "--forwards"],
    ["an unknown event", ["trigger", "rebookd"], {}, "One of: patient_doctor_meeting_updated"],
    ["an event that only the service causes", ["trigger", "scheduling.appointment_reminder_due"], {}, "--forward URL"],
    ["no service", ["trigger", "patient.created"], { SPRECHSTUNDE_URL: "http://127.0.0.1:1" }, "no answer"],
    ["an unknown command", ["listn"], {}, "--help"]
  ] as const)("%s", async (_, words, env, said) => {
    const failed = await outcome(command({ key: "none" }, words, env))
    expect(failed).toEqual({ status: 1, said: expect.stringContaining(said) })
    expect(failed.said.trim().split("\n")).toHaveLength(1)
  })
})
