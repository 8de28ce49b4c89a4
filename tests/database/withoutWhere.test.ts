/**
 * Every statement that the interface's operations send, with its owner taken out of its conditions, as another tenant: row-level
 * security alone keeps tenants apart. Rule 14.5.3.
 */
import { beforeAll, expect, test } from "bun:test"
import { SqlClient } from "@effect/sql"
import { Effect, Exit } from "effect"
import { asRequest, onlyOwner, serviceRequest } from "../../src/services/Tenancy.ts"
import { askEvery } from "../http/matrix/askEvery.ts"
import { snapshot } from "../http/matrix/snapshot.ts"
import { makeTenant, type Tenant } from "../http/matrix/tenant.ts"
import { ownServer } from "../support/server.ts"
import { recording, type Statement } from "../support/statements.ts"

const server = ownServer({ ROLE: "http", SANDBOX: "true" })

let tenant: Tenant
let stranger: Tenant
let statements: ReadonlyArray<Statement>
let worker = 0

const OWNER = /(?<![\w"])(?:\w+\.)?"?(?:organisation_uid|owner_uid|pharmacy_uid)"?\s*=\s*(\$\d+)(?!\w)/g

/** The statement with conditions on the owner that always hold; its parameters stay in use. */
const withoutOwner = (text: string) => text.replace(OWNER, "($1::text IS NULL OR $1::text IS NOT NULL)")

/** What these functions give belongs to the key that they are given: who has the key is its owner. */
const BY_KEY = /\b(api_key_with|image_named|organisation_by|pharmacy_in_scope)\(/

const touchesRows = (text: string) =>
  /^\s*(SELECT|WITH|INSERT|UPDATE|DELETE)\b/i.test(text) &&
  !/pgboss|set_config|pg_advisory|clock/.test(text) &&
  !BY_KEY.test(text)

/** Every operation as its own tenant; those that change something last. */
beforeAll(async () => {
  tenant = await makeTenant(server.current)
  stranger = await makeTenant(server.current)
  const { statements: sent } = await recording(() => askEvery(server.current, tenant))
  const named = sent.filter(({ text, role }) => role === "service" && touchesRows(text))
  worker = new Set(sent.filter(({ role, text }) => role === "worker" && touchesRows(text)).map(({ text }) => text)).size
  statements = [...new Map(named.map((statement) => [statement.text, statement])).values()]
}, 300_000)

interface Outcome {
  readonly statement: Statement
  readonly rows: ReadonlyArray<unknown>
  readonly refused: boolean
}

/** Each statement in a transaction of its own, as this owner. */
const replayed = (as: Tenant): Promise<ReadonlyArray<Outcome>> => {
  const owner = { organisation_uid: as.world.organisation_uid, pharmacy_uid: as.named.pharmacy_uid ?? null }
  const one = (statement: Statement) =>
    Effect.flatMap(SqlClient.SqlClient, (sql) => {
      const text = withoutOwner(statement.text)
      // as: values of the driver's own parameters
      const values = [...statement.values] as Array<string>
      return sql.withTransaction(sql.unsafe(text, values))
    }).pipe(
      Effect.exit,
      Effect.map(
        (exit): Outcome => ({ statement, rows: Exit.isSuccess(exit) ? exit.value : [], refused: Exit.isFailure(exit) })
      )
    )
  return server.current.run(Effect.forEach(statements, one).pipe(onlyOwner(owner), asRequest(serviceRequest("replay"))))
}

/** Uids, codes and keys of the tenant in the rows that the statement did not name. */
const foreignIn = ({ statement, rows }: Outcome, of: Tenant) => {
  const [shown, sent] = [JSON.stringify(rows), JSON.stringify(statement.values)]
  return of.secrets.filter((secret) => secret.length > 8 && shown.includes(secret) && !sent.includes(secret))
}

test("gives no foreign row and changes none", async () => {
  expect(statements.length).toBeGreaterThan(100)
  const without = statements.filter(({ text }) => withoutOwner(text) !== text)
  expect(without.length).toBeGreaterThan(60)
  const before = await snapshot(server.current, tenant)
  const outcomes = await replayed(stranger)
  const foreign = outcomes.flatMap((outcome) =>
    foreignIn(outcome, tenant).map((secret) => `${secret}: ${outcome.statement.text}`)
  )
  expect(foreign).toEqual([])
  expect(await snapshot(server.current, tenant)).toEqual(before)

  // The same statements do find rows for their own tenant: it is the policies that keep them from another
  const own = (await replayed(tenant)).filter(({ rows }) => rows.length > 0).length
  const others = outcomes.filter(({ rows }) => rows.length > 0).length
  const refused = outcomes.filter((outcome) => outcome.refused).length
  console.log(
    `${statements.length} statements, ${without.length} with owners taken out: ${foreign.length} foreign rows; rows for ${own} as their own tenant, for ${others} as another, ${refused} refused; ${worker} run across tenants by design`
  )
  expect(own).toBeGreaterThan(30)
}, 120_000)
