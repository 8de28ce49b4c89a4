import { afterAll, describe, expect, test } from "bun:test"
import { utimesSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { makeShop } from "../checkout/support/shop.ts"
import { commandLine } from "../support/cli.ts"
import { eventually } from "../support/eventually.ts"
import { freshDatabase } from "../support/postgres.ts"
import { COMMAND_LINE, run, temporaryFolder } from "../support/processes.ts"
import { isLong } from "../support/scale.ts"
import { migrated, testServer } from "../support/server.ts"
import { inDays, makeWorld, random } from "../support/world.ts"

const folder = temporaryFolder()
const server = testServer()
afterAll(folder.remove)

const cli = (...args: ReadonlyArray<string>) => cliOn(server.current.databaseUrl, ...args)
const cliOn = (databaseUrl: string, ...args: ReadonlyArray<string>) => cliWith({ DATABASE_URL: databaseUrl }, ...args)
const cliWith = (environment: Readonly<Record<string, string>>, ...args: ReadonlyArray<string>) =>
  commandLine({
    DATABASE_URL: server.current.databaseUrl,
    DATA_DIR: folder.path,
    WEBHOOK_ALLOW_PRIVATE: "true",
    ...environment
  })(...args)

describe("keys", () => {
  test("are created, listed and revoked", async () => {
    const { organisation_uid } = await makeWorld(server.current)
    const made = await cli(
      "keys",
      "create",
      "--organisation",
      organisation_uid,
      "--name",
      "partner",
      "--permission",
      "scheduling:read"
    )
    expect(made.status).toBe(0)
    expect(made.last).toMatch(/^spr_[A-Za-z0-9_-]{43}$/)
    const requested = () => server.current.api("GET", "/v1/management/scheduling/doctors", { key: made.last })
    expect((await requested()).status).toBe(200)
    const listed = await cli("keys", "list", "--organisation", organisation_uid)
    const line = listed.said.split("\n").find((each) => each.includes("\tpartner\t")) ?? ""
    expect(line).toContain("scheduling:read")
    expect(listed.said).not.toContain(made.last)
    expect((await cli("keys", "revoke", line.split("\t")[0] ?? "")).status).toBe(0)
    expect((await requested()).status).toBe(401)
    expect((await cli("keys", "revoke", line.split("\t")[0] ?? "")).status).not.toBe(0)
  })

  test("need one existing owner, and permissions of its kind", async () => {
    const { organisation_uid } = await makeWorld(server.current)
    const create = (...args: ReadonlyArray<string>) => cli("keys", "create", "--name", "x", ...args)
    const nobody = await create("--permission", "scheduling:read")
    expect([nobody.status, nobody.said]).toEqual([1, expect.stringContaining("exactly one of --organisation")])
    const unknown = await create("--organisation", "org_nowhere", "--permission", "scheduling:read")
    expect([unknown.status, unknown.said]).toEqual([1, expect.stringContaining("org_nowhere not found")])
    const foreign = await create("--organisation", organisation_uid, "--permission", "stock_read")
    expect([foreign.status, foreign.said]).toEqual([1, expect.stringContaining("stock_read: not for a organisation")])
  })
})

test("orders waiting lists orders that no pharmacy can fill", async () => {
  const shop = await makeShop(server.current, { default_pharmacy: false })
  await shop.sql`DELETE FROM pharmacy_skus WHERE pharmacy_uid = ${shop.pharmacy_uid}`
  await shop.sendWebhook("orders/paid", shop.order({ name: "#7" }))
  const { status, said } = await cli("orders", "waiting")
  expect([status, said]).toEqual([0, expect.stringContaining(`${shop.shop_identifier}\t#7\torders/paid\t`)])
})

if (isLong)
  test("migrate reports what it did, and logs like the service", async () => {
    const { url } = await freshDatabase()
    const { status, said, last } = await cliOn(url, "migrate")
    expect(status).toBe(0)
    expect(last).toBe("The database is up to date.")
    const [log = ""] = said.trim().split("\n")
    expect(JSON.parse(log)).toMatchObject({ level: "INFO", message: expect.stringMatching(/^applied \d+ migrations$/) })
  })

if (isLong)
  test("an invalid setting is named", async () => {
    const running = run([...COMMAND_LINE, "migrate"], { env: { SANDBOX: "maybe" } })
    expect(await running.ended).not.toBe(0)
    expect(running.said()).toContain("SANDBOX")
  })

if (isLong)
  test("webhooks replay sends failed deliveries again, under the same id", async () => {
    const world = await makeWorld(server.current)
    const ids: Array<string> = []
    let deleted = true
    const receiver = Bun.serve({
      port: 0,
      fetch: ({ headers }) => {
        ids.push(headers.get("webhook-id") ?? "")
        return new Response(null, { status: deleted ? 410 : 204 })
      }
    })
    const subscriptions = "/v1/management/notification-subscriptions"
    const { body: subscription } = await server.current.api("POST", subscriptions, {
      key: world.key,
      body: { notification_type: "PATIENT_DOCTOR_MEETING_UPDATED", url: `http://127.0.0.1:${receiver.port}/` }
    })
    const deliveries = async () =>
      (await server.current.api("GET", `${subscriptions}/${subscription.uid}/deliveries`, { key: world.key })).body.data
    await world.booked(inDays(2, 9))
    await eventually(deliveries, ([first]) => first?.status === "failed")
    deleted = false
    await server.current.api("PATCH", `${subscriptions}/${subscription.uid}`, {
      key: world.key,
      body: { active: true }
    })
    const replayed = await cli(
      "webhooks",
      "replay",
      "--owner",
      world.organisation_uid,
      "--subscription",
      subscription.uid
    )
    expect(replayed).toMatchObject({ status: 0, last: expect.stringMatching(/^1 deliver/) })
    await eventually(deliveries, ([first]) => first?.status === "delivered")
    expect(ids.length).toBeGreaterThanOrEqual(2)
    expect(new Set(ids).size).toBe(1)
    await receiver.stop(true)
  })

describe("provision", () => {
  test("prints an example, previews the changes, and applies them, all with --reset", async () => {
    const { url } = await freshDatabase(migrated)
    const file = join(folder.path, "provisioning.json")
    const example = await cliOn(url, "provision", "--example")
    expect(example.status).toBe(0)
    writeFileSync(file, example.said)
    const compared = await cliOn(url, "provision", "--dry-run", file)
    expect([compared.status, compared.said]).toEqual([0, expect.stringContaining("doctors[0]: new")])
    expect((await cliOn(url, "provision", file)).last).toMatch(/2\d entries written, 0 unchanged/)
    writeFileSync(file, example.said.replace('"Dr. Weber"', '"Dr. Anders"'))
    const changed = await cliOn(url, "provision", "--dry-run", file)
    expect(changed.last).toBe('    display_name: "Dr. Weber" → "Dr. Anders"')
    expect((await cliOn(url, "provision", "--reset", file)).last).toMatch(/2\d entries written, 0 unchanged/)
  })

  test("prints a JSON Schema, and reports missing arguments", async () => {
    const { status, said } = await cli("provision", "--schema")
    expect([status, JSON.parse(said).type]).toEqual([0, "object"])
    const nothing = await cli("provision")
    expect([nothing.status, nothing.last]).toEqual([1, "Name a FILE, or one of --example and --schema"])
  })

  test("refuses with another master key", async () => {
    const file = join(folder.path, "empty.json")
    writeFileSync(file, "{}")
    const refused = await cliWith({ MASTER_KEY: Buffer.alloc(32, 9).toString("base64") }, "provision", file)
    expect([refused.status, refused.said]).toEqual([1, expect.stringContaining("MASTER_KEY is not the key")])
  })
})

describe("organisations create", () => {
  if (isLong)
    test("creates an organisation that is ready to use", async () => {
      const shop_identifier = random("shop")
      const made = await cli(
        "organisations",
        "create",
        ...["--name", "Praxis am Markt", "--timezone", "Europe/Berlin", "--shop-identifier", shop_identifier],
        ...["--doctor", "Dr. Weber", "--doctor", "Dr. Anders"]
      )
      expect(made.status).toBe(0)
      const value = (name: string) => new RegExp(`^${name} +(\\S+)`, "m").exec(made.said)?.[1] ?? ""
      const key = value("api_key")
      const { status, body } = await server.current.api("GET", "/v1/management/scheduling/doctors", { key })
      expect(status).toBe(200)
      expect(body.data.map((doctor: { readonly display_name: string }) => doctor.display_name)).toEqual([
        "Dr. Anders",
        "Dr. Weber"
      ])
      const token = await cli("booking-token", "--shop", shop_identifier, "--customer", "1")
      expect([token.status, token.last.split(".").length]).toEqual([0, 3])
      const again = await cli(
        "organisations",
        "create",
        ...["--name", "Another", "--timezone", "Europe/Berlin", "--shop-identifier", shop_identifier]
      )
      expect([again.status, again.said]).toEqual([
        1,
        expect.stringContaining("shops[0].shop_identifier: belongs to another shop")
      ])
    })

  test("names missing arguments when there is no terminal to prompt on", async () => {
    const { status, said } = await cli("organisations", "create")
    expect([status, said]).toEqual([1, expect.stringContaining("--name is needed")])
  })
})

test("a restore to a moment needs the list of erasures, since it brings back who was erased, and finds one beside the backups; Rule 15.3.7", async () => {
  const restore = ["restore", "--repository", folder.path, "--data", folder.path, "--to", "2026-03-01T09:59:00Z"]
  const refused = async (why: string) => {
    const { status, err } = await cli(...restore)
    expect([status, err.includes(why)]).toEqual([1, true])
    expect(err).toContain("--erasures FILE, or state --none-erased. Nothing was changed")
  }
  const list = join(folder.path, "erasures.ndjson")
  await refused(`there is no list ${list}`)
  const write = (...lines: ReadonlyArray<object>) =>
    writeFileSync(list, lines.map((line) => `${JSON.stringify(line)}\n`).join(""))
  const secondsOf = (time: string) => Date.parse(time) / 1_000
  write()
  expect((await cli(...restore)).err).toContain(`The list ${list} is incomplete`)
  // A copy has a later time of change than the list
  write({ written_at: secondsOf("2026-03-01T02:00:00Z") })
  await refused("written before the moment, 2026-03-01T02:00:00.000Z")
  write({ written_at: secondsOf("2026-03-01T10:00:00Z") })
  const early = new Date("2026-03-01T02:00:00Z")
  utimesSync(list, early, early)
  // pgBackRest refuses the folder, which has no backup
  const written = `List of erasures: ${list}, written 2026-03-01T10:00:00.000Z`
  expect((await cli(...restore)).out).toContain(written)
  expect((await cli(...restore, "--erasures", list)).out).toContain(written)
  // Cut off while it was written
  write({ organisation_uid: "org_one" })
  expect((await cli(...restore, "--erasures", list)).err).toContain(`The list ${list} is incomplete`)
})
