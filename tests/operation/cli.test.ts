import { afterAll, describe, expect, test } from "bun:test"
import { utimesSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { commandLine } from "../support/cli.ts"
import { freshDatabase } from "../support/postgres.ts"
import { COMMAND_LINE, run, temporaryFolder } from "../support/processes.ts"
import { isLong } from "../support/scale.ts"
import { migrated, testServer } from "../support/server.ts"
import { random } from "../support/world.ts"

const folder = temporaryFolder()
const server = testServer()
afterAll(folder.remove)

/** The words of a command line, with what may have spaces apart. */
const cli = (line: string, ...more: ReadonlyArray<string>) => cliWith({}, line, ...more)
const cliWith = (environment: Readonly<Record<string, string>>, line: string, ...more: ReadonlyArray<string>) =>
  commandLine({
    DATABASE_URL: server.current.databaseUrl,
    DATA_DIR: folder.path,
    WEBHOOK_ALLOW_PRIVATE: "true",
    ...environment
  })(...line.split(" "), ...more)
const refused = async (why: string, line: string, ...more: ReadonlyArray<string>) => {
  const { status, said } = await cli(line, ...more)
  expect([line, status, said]).toEqual([line, 1, expect.stringContaining(why)])
}

if (isLong)
  test("migrate reports what it did, and logs like the service", async () => {
    const { url } = await freshDatabase()
    const { status, said, last } = await cliWith({ DATABASE_URL: url }, "migrate")
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

describe("provision", () => {
  test("prints an example, previews the changes, and applies them, all with --reset", async () => {
    const { url } = await freshDatabase(migrated)
    const file = join(folder.path, "provisioning.json")
    const provision = (...words: ReadonlyArray<string>) => cliWith({ DATABASE_URL: url }, "provision", ...words)
    const example = await provision("--example")
    expect(example.status).toBe(0)
    writeFileSync(file, example.said)
    const compared = await provision("--dry-run", file)
    expect([compared.status, compared.said]).toEqual([0, expect.stringContaining("doctors[0]: new")])
    expect((await provision(file)).last).toMatch(/2\d entries written, 0 unchanged/)
    writeFileSync(file, example.said.replace('"Dr. Weber"', '"Dr. Anders"'))
    const changed = await provision("--dry-run", file)
    expect(changed.last).toBe('    display_name: "Dr. Weber" → "Dr. Anders"')
    expect((await provision("--reset", file)).last).toMatch(/2\d entries written, 0 unchanged/)
  })

  test("prints a JSON Schema, and reports missing arguments", async () => {
    const { status, said } = await cli("provision --schema")
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
      const create = `organisations create --timezone Europe/Berlin --shop-identifier ${shop_identifier} --name`
      const made = await cli(create, "Praxis am Markt", "--doctor", "Dr. Weber", "--doctor", "Dr. Anders")
      expect(made.status).toBe(0)
      const value = (name: string) => new RegExp(`^${name} +(\\S+)`, "m").exec(made.said)?.[1] ?? ""
      const key = value("api_key")
      const { status, body } = await server.current.api("GET", "/v1/management/scheduling/doctors", { key })
      expect(status).toBe(200)
      expect(body.data.map((doctor: { readonly display_name: string }) => doctor.display_name)).toEqual([
        "Dr. Anders",
        "Dr. Weber"
      ])
      const token = await cli(`booking-token --shop ${shop_identifier} --customer 1`)
      expect([token.status, token.last.split(".").length]).toEqual([0, 3])
      await refused("shops[0].shop_identifier: belongs to another shop", create, "Another")
    })

  test("names missing arguments when there is no terminal to prompt on", async () => {
    await refused("--name is needed", "organisations create")
  })
})

test("a restore to a moment needs the list of erasures, since it brings back who was erased, and finds one beside the backups; Rule 15.3.7", async () => {
  const restore = `restore --repository ${folder.path} --data ${folder.path} --to 2026-03-01T09:59:00Z`
  const lacking = async (why: string) => {
    await refused(why, restore)
    await refused("--erasures FILE, or state --none-erased. Nothing was changed", restore)
  }
  const list = join(folder.path, "erasures.ndjson")
  await lacking(`there is no list ${list}`)
  const write = (...lines: ReadonlyArray<object>) =>
    writeFileSync(list, lines.map((line) => `${JSON.stringify(line)}\n`).join(""))
  const secondsOf = (time: string) => Date.parse(time) / 1_000
  write()
  expect((await cli(restore)).err).toContain(`The list ${list} is incomplete`)
  // A copy has a later time of change than the list
  write({ written_at: secondsOf("2026-03-01T02:00:00Z") })
  await lacking("written before the moment, 2026-03-01T02:00:00.000Z")
  write({ written_at: secondsOf("2026-03-01T10:00:00Z") })
  const early = new Date("2026-03-01T02:00:00Z")
  utimesSync(list, early, early)
  // pgBackRest refuses the folder, which has no backup
  const written = `List of erasures: ${list}, written 2026-03-01T10:00:00.000Z`
  expect((await cli(restore)).out).toContain(written)
  expect((await cli(`${restore} --erasures ${list}`)).out).toContain(written)
  // Cut off while it was written
  write({ organisation_uid: "org_one" })
  expect((await cli(`${restore} --erasures ${list}`)).err).toContain(`The list ${list} is incomplete`)
})
