/** Tampering with the log is detected. Rule 13.1.4. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { SqlClient } from "@effect/sql"
import { Data, Effect } from "effect"
import { AuditChain, type ExportedLine } from "../../src/services/audit/AuditChain.ts"
import { AuditLog } from "../../src/services/audit/AuditLog.ts"
import { acrossTenants, asLogin, asRequest, onlyOwner } from "../../src/services/tenancy/Tenancy.ts"
import { isSkippedFor } from "../support/citus.ts"
import { commandLine } from "../support/cli.ts"
import { temporaryFolder } from "../support/processes.ts"
import { isLong } from "../support/scale.ts"
import { ownServer } from "../support/server.ts"
import { makeWorld, random } from "../support/world.ts"

const server = ownServer({ ROLE: "http" })
const folder = temporaryFolder()
afterAll(folder.remove)
const ENTRIES = 20

const query = (text: string) => Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe(text))
const chain = <A, E, R>(use: (chain: AuditChain) => Effect.Effect<A, E, R>) => Effect.flatMap(AuditChain, use)
const verify = chain((one) => one.verify())

const record = (organisation_uid: string, subject: string) =>
  Effect.flatMap(AuditLog, ({ record }) => record).pipe(
    asRequest({ action: "test", subject, purpose: "to see" }),
    onlyOwner({ organisation_uid })
  )

beforeAll(() =>
  server.current.run(
    Effect.gen(function* () {
      for (let index = 1; index <= ENTRIES; index++)
        for (const owner of ["org_a", "org_b"]) yield* record(owner, `record ${index}`)
      yield* chain(({ seal }) => seal())
    })
  )
)

class Undone extends Data.TaggedError("Undone") {}

/** Statements of a login past all triggers. */
const withoutTriggers = (statements: ReadonlyArray<string>) =>
  asLogin(Effect.forEach(["SET LOCAL session_replication_role = replica", ...statements], query, { discard: true }))
/** Runs and commits them. */
const force = (statements: ReadonlyArray<string>) =>
  server.current.run(Effect.flatMap(SqlClient.SqlClient, (sql) => sql.withTransaction(withoutTriggers(statements))))
/** The fault that verification finds after what is rolled back then. */
const faultAfter = <A, E, R>(work: Effect.Effect<A, E, R>) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => {
    let found: unknown
    const verified = Effect.gen(function* () {
      yield* work
      found = (yield* acrossTenants(verify)).fault
      return yield* new Undone()
    })
    return sql.withTransaction(verified).pipe(Effect.catchTag("Undone", () => Effect.sync(() => found)))
  })

const nth = (number: number) => `(owner_uid, position) = (SELECT owner_uid, position FROM audit_chain
  WHERE owner_uid = 'org_a' AND number = ${number})`
const set = (change: string) => `UPDATE audit_entries SET ${change} WHERE ${nth(7)}`
const cutOff = [
  "DELETE FROM audit_entries WHERE owner_uid = 'org_a' AND position >= (SELECT position FROM audit_chain WHERE owner_uid = 'org_a' AND number = 18)",
  "DELETE FROM audit_chain WHERE owner_uid = 'org_a' AND number >= 18"
]

/** In the order of an export: lines of entries 1 to 20, and the end. */
type Lines = ReadonlyArray<ExportedLine>
const line7 = (change: Partial<Extract<ExportedLine, { number: number }>>) => (lines: Lines) =>
  lines.map((line) => ("head" in line || line.number !== 7 ? line : { ...line, ...change }))
const changed = "org_a: entry 7 has been changed, or is not the one that was sealed"

interface Tampering {
  readonly name: string
  readonly fault: object
  readonly statements: ReadonlyArray<string>
  /** What can be done to an export, too. */
  readonly command?: {
    readonly edited: (lines: Lines) => Lines
    /** The output of `cli audit verify` for the database, and for the export if it differs. */
    readonly says: string
    readonly saysOfExport?: string
  }
}

const tamperings: ReadonlyArray<Tampering> = [
  {
    name: "another action",
    fault: { number: 7 },
    statements: [set("action = 'other'")],
    command: { edited: line7({ action: "other" }), says: changed }
  },
  {
    name: "another actor",
    fault: { number: 7 },
    statements: [set("actor_uid = 'somebody else'")],
    command: { edited: line7({ actor_uid: "somebody else" }), says: changed }
  },
  {
    name: "another record",
    fault: { number: 7 },
    statements: [set("subject = 'record 8'")],
    command: { edited: line7({ subject: "record 8" }), says: changed }
  },
  {
    name: "a purpose taken away",
    fault: { number: 7 },
    statements: [set("purpose = NULL")],
    command: { edited: line7({ purpose: null }), says: changed }
  },
  {
    name: "another time",
    fault: { number: 7 },
    statements: [set("at = at + interval '1 microsecond'")],
    // the entry's link names its time, too
    command: { edited: line7({ at: 1 }), says: "org_a: entry 7 has been deleted", saysOfExport: changed }
  },
  {
    name: "another network",
    fault: { number: 7 },
    statements: [set("address = '10.0.0.0/24'")],
    command: { edited: line7({ address: "10.0.0.0/24" }), says: changed }
  },
  {
    name: "a deleted entry",
    fault: { number: 7, reason: "has been deleted" },
    statements: [`DELETE FROM audit_entries WHERE ${nth(7)}`],
    command: {
      edited: (lines) => lines.toSpliced(6, 1),
      says: "org_a: entry 7 has been deleted",
      saysOfExport: "org_a: entry 7 is missing from the chain"
    }
  },
  {
    name: "an entry deleted with its link",
    fault: { number: 7, reason: "is missing from the chain" },
    statements: [
      `DELETE FROM audit_entries WHERE ${nth(7)}`,
      "DELETE FROM audit_chain WHERE owner_uid = 'org_a' AND number = 7"
    ]
  },
  {
    name: "an entry deleted with its link, the later links moved up",
    fault: { number: 7 },
    statements: [
      `DELETE FROM audit_entries WHERE ${nth(7)}`,
      "DELETE FROM audit_chain WHERE owner_uid = 'org_a' AND number = 7",
      "UPDATE audit_chain SET number = number + 1000 WHERE owner_uid = 'org_a' AND number > 7",
      "UPDATE audit_chain SET number = number - 1001 WHERE owner_uid = 'org_a' AND number > 1000"
    ]
  },
  {
    name: "two entries exchanged",
    fault: { number: 7 },
    statements: [
      `UPDATE audit_entries e SET subject = CASE WHEN ${nth(7)} THEN 'record 8' ELSE 'record 7' END WHERE ${nth(7)} OR ${nth(8)}`
    ]
  },
  {
    name: "a link of another entry",
    fault: { number: 7 },
    statements: [
      `UPDATE audit_chain SET mac = (SELECT mac FROM audit_chain WHERE owner_uid = 'org_a' AND number = 8)
      WHERE owner_uid = 'org_a' AND number = 7`
    ],
    command: {
      edited: (lines) => {
        const eighth = lines[7]
        return eighth === undefined || "head" in eighth ? lines : line7({ mac: eighth.mac })(lines)
      },
      says: changed
    }
  },
  {
    name: "the last entries cut off",
    fault: { number: 18, reason: "the chain ends elsewhere" },
    statements: cutOff,
    command: {
      edited: (lines) => lines.filter((line) => "head" in line || line.number < 18),
      says: "org_a: entry 18 the chain ends elsewhere"
    }
  },
  {
    name: "the last entries cut off, and the end moved",
    fault: { number: 17, reason: "the end of the chain was forged" },
    statements: [...cutOff, "UPDATE audit_heads SET number = 17 WHERE owner_uid = 'org_a'"]
  },
  {
    name: "an entry added later",
    fault: { reason: "was added later: it is in no chain" },
    statements: [
      `INSERT INTO audit_entries SELECT owner_uid, 999999, at - interval '2 hours', action, actor_kind, actor_uid, subject,
        purpose, trace_id, address FROM audit_entries WHERE ${nth(7)}`
    ],
    command: {
      edited: (lines) => lines.toSpliced(6, 0, ...lines.slice(6, 7)),
      says: "was added later: it is in no chain",
      saysOfExport: "org_a: entry 8 is missing from the chain"
    }
  },
  {
    name: "an owner's whole chain deleted but for its end",
    fault: { number: 1 },
    statements: [
      "DELETE FROM audit_entries WHERE owner_uid = 'org_a'",
      "DELETE FROM audit_chain WHERE owner_uid = 'org_a'"
    ]
  }
]

// A superuser's statements without triggers; on a cluster they would have to be run on the shards of each node
const isCluster = isSkippedFor("the log is tampered with by a login past all triggers")

// Shows: repudiation of a change or a read
describe.skipIf(isCluster)("verification finds and names", () => {
  test.each(tamperings)("$name", async ({ fault, statements }) => {
    const found = await server.current.run(faultAfter(withoutTriggers(statements)))
    expect(found).toMatchObject({ owner_uid: "org_a", ...fault })
  })
})

const exported = async () => {
  const all: Array<ExportedLine> = []
  await server.current.run(
    chain(({ exportLines }) => exportLines("org_a", (lines) => Effect.sync(() => void all.push(...lines))))
  )
  return all
}

describe("an export", () => {
  test("can be verified on its own", async () => {
    const lines = await exported()
    expect(lines.length).toBe(ENTRIES + 1)
    const verified = await server.current.run(chain(({ verifyLines }) => verifyLines(lines)))
    expect(verified).toEqual({ entries: ENTRIES, fault: undefined })
  })

  test("that was changed, or lacks a line or its end, fails verification", async () => {
    const lines = await exported()
    const check = async (changed: ReadonlyArray<ExportedLine>) =>
      (await server.current.run(chain(({ verifyLines }) => verifyLines(changed)))).fault
    expect(
      await check(lines.map((line) => ("head" in line || line.number !== 7 ? line : { ...line, subject: "x" })))
    ).toMatchObject({ number: 7 })
    expect(await check(lines.filter((line) => "head" in line || line.number !== 7))).toMatchObject({ number: 7 })
    expect(await check(lines.slice(0, -1))).toMatchObject({ number: ENTRIES + 1 })
    expect(await check(lines.toSpliced(-2, 1))).toMatchObject({ number: ENTRIES })
  })
})

test("an untouched log verifies, including entries since the last seal", async () => {
  await server.current.run(record("org_a", "later"))
  const { fault, entries } = await server.current.run(verify)
  expect(fault).toBeUndefined()
  expect(entries).toBeGreaterThanOrEqual(2 * ENTRIES + 1)
})

test("the command prints the number of valid entries, and exits with 1 at the first invalid one", async () => {
  const command = commandLine({ DATABASE_URL: server.current.databaseUrl, DATA_DIR: server.current.dataDir })
  const cli = (...parameters: ReadonlyArray<string>) => command("audit", ...parameters)
  const intact = await cli("verify")
  expect(intact.out).toMatch(/^\d+ entries, chain intact\n$/)
  expect(intact.status).toBe(0)
  const { out } = await cli("export", "--organisation", "org_b")
  const path = join(folder.path, "export.ndjson")
  writeFileSync(path, out)
  expect((await cli("verify", "--file", path)).out).toBe(`${ENTRIES} entries, chain intact\n`)
  writeFileSync(path, out.replace("record 5", "record 6"))
  const broken = await cli("verify", "--file", path)
  expect(broken.status).toBe(1)
  expect(broken.err).toContain("org_b: entry 5 has been changed")
}, 60_000)

describe.skipIf(isCluster)("`cli audit verify` finds and names, in the database and in an export,", () => {
  const cli = (...parameters: ReadonlyArray<string>) =>
    commandLine({ DATABASE_URL: server.current.databaseUrl, DATA_DIR: server.current.dataDir })("audit", ...parameters)
  const tables = ["audit_entries", "audit_chain", "audit_heads"]
  beforeAll(() => force(tables.map((table) => `CREATE TABLE kept_${table} AS TABLE ${table}`)))
  afterAll(() => force(tables.map((table) => `DROP TABLE kept_${table}`)))

  // Each run of the command starts the program anew; above all are found in each run
  const some = ["a deleted entry", "an entry added later"]
  const byCommand = tamperings.flatMap(({ name, statements, command }) =>
    command !== undefined && (isLong || some.includes(name)) ? [{ name, statements, ...command }] : []
  )
  test.each(byCommand)("$name", async ({ statements, edited, says, saysOfExport = says }) => {
    const path = join(folder.path, "tampered.ndjson")
    writeFileSync(
      path,
      edited(await exported())
        .map((line) => `${JSON.stringify(line)}\n`)
        .join("")
    )
    const ofExport = await cli("verify", "--file", path)
    await force(statements)
    const ofDatabase = await cli("verify")
    await force(tables.flatMap((table) => [`TRUNCATE ${table}`, `INSERT INTO ${table} TABLE kept_${table}`]))
    expect([ofExport.status, ofDatabase.status]).toEqual([1, 1])
    expect(ofExport.err).toContain(saysOfExport)
    expect(ofDatabase.err).toContain(says)
  })
})

test("an organisation exports its own chain through the API, page by page, and the command verifies it (Rule 13.2.4)", async () => {
  const { organisation_uid, key } = await makeWorld(server.current)
  const cli = commandLine({ DATABASE_URL: server.current.databaseUrl, DATA_DIR: server.current.dataDir })
  for (let index = 0; index < 7; index++) await server.current.api("GET", "/v1/management/patients", { key })
  await server.current.run(chain(({ seal }) => seal()))
  const page = async (after: number) => {
    const { body, headers } = await server.current.api(
      "GET",
      `/v1/management/audit-log/export?after=${after}&limit=3`,
      { key }
    )
    expect(headers.get("content-type")).toContain("application/x-ndjson")
    return String(body)
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line))
  }
  const lines = await page(0)
  while (!("head" in lines.at(-1))) lines.push(...(await page(lines.at(-1).number)))
  expect(lines.slice(0, -1).every(({ owner_uid }) => owner_uid === organisation_uid)).toBe(true)
  const path = join(folder.path, "by-interface.ndjson")
  writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(""))
  expect((await cli("audit", "verify", "--file", path)).out).toBe(`${lines.length - 1} entries, chain intact\n`)
})

const COLUMNS = "owner_uid, position, at, action, actor_kind, actor_uid, subject, purpose, trace_id, address, mark"
const added: ReadonlyArray<readonly [name: string, position: string, at: string, subject: string]> = [
  ["a copy of an entry under another position", "nextval('audit_positions')", "at", "subject"],
  [
    "a copy of a sealed entry under its own position, at another time",
    "position",
    "at + interval '1 second'",
    "subject"
  ],
  ["a copy of an entry with another subject", "nextval('audit_positions')", "at", "'another record'"],
  [
    "an entry of this moment, as the service would write it",
    "nextval('audit_positions')",
    "clock_timestamp()",
    "subject"
  ]
]

describe.skipIf(isCluster)(
  "a row that the service did not write is named at once, and verifying writes nothing; Rule 13.1.4",
  () => {
    test.each(added)("%s", async (_, position, at, subject) => {
      const owner = random("org_copied")
      const chained = query(`SELECT count(*)::int AS count FROM audit_chain WHERE owner_uid = '${owner}'`)
      const sealAll = chain(({ seal }) => seal())
      await server.current.run(record(owner, "one"))
      const [before, whole, after] = await server.current.run(acrossTenants(Effect.all([chained, verify, chained])))
      expect(whole.fault).toBeUndefined()
      expect(after).toEqual(before)
      await server.current.run(sealAll)
      await force([
        `INSERT INTO audit_entries (${COLUMNS}) SELECT owner_uid, ${position}, ${at}, action, actor_kind, actor_uid, ${subject},
        purpose, trace_id, address, mark FROM audit_entries WHERE owner_uid = '${owner}'`
      ])
      for (const _ of [1, 2]) {
        const { fault } = await server.current.run(acrossTenants(verify))
        expect(fault).toMatchObject({ owner_uid: owner, reason: "was added later: it is in no chain" })
        await server.current.run(sealAll)
      }
      await force([
        `DELETE FROM audit_entries e WHERE owner_uid = '${owner}'
        AND NOT EXISTS (SELECT FROM audit_chain c WHERE c.owner_uid = e.owner_uid AND c.position = e.position AND c.at = e.at)`
      ])
    })

    test("with a request of one's own in the setting it is not the service's either", async () => {
      const owner = random("org_pretended")
      const request = {
        action: "a",
        actor_kind: "system",
        actor_uid: "x",
        trace_id: "t",
        nonce: "00".repeat(16),
        seal: "11".repeat(32)
      }
      const pretended = Effect.forEach(
        [
          `SELECT set_config('sprechstunde.request', '${JSON.stringify(request)}', true)`,
          `SELECT audit_insert('${owner}', '${JSON.stringify(request)}', 'one')`
        ],
        query
      )
      const fault = await server.current.run(faultAfter(asLogin(pretended)))
      expect(fault).toMatchObject({ owner_uid: owner })
    })
  }
)

test("several processes may seal concurrently", async () => {
  await server.current.run(
    Effect.gen(function* () {
      yield* Effect.forEach(Array.from({ length: 30 }), (_, index) => record("org_c", `record ${index}`), {
        concurrency: 8
      })
      yield* Effect.forEach([1, 2, 3], () => chain(({ seal }) => seal()), { concurrency: 3 })
      const { fault } = yield* acrossTenants(verify)
      expect(fault).toBeUndefined()
    })
  )
})
