/**
 * The rules that a statement must follow so that a Citus cluster accepts it and runs it on one node (docs/scaling.md). Statements are
 * parsed with PostgreSQL's own parser; `distribute.sql` has the placement of the tables.
 */
import { readFileSync } from "node:fs"
import { loadModule, parseSync } from "libpg-query"
import { manifests } from "../../../src/capabilities/index.ts"
import { citusNodes } from "../../support/citus.ts"
import { freshDatabase, rowsAt } from "../../support/postgres.ts"
import { migrated } from "../../support/server.ts"

await loadModule()

const script = readFileSync("src/capabilities/cluster/layers/distribute.sql", "utf8")
/** Of capabilities. */
const added = manifests().flatMap(({ tables }) => Object.entries<string>(tables))

/** Distributed tables, and their distribution column. */
export const distributedTables: ReadonlyMap<string, string> = new Map([
  ...[...script.matchAll(/^SELECT cluster_distribute\('(\w+)', '(\w+)'/gm)].map(
    ([, table = "", column = ""]) => [table, column] as const
  ),
  ...added.filter(([, column]) => column !== "copied")
])
/** Reference tables, with a copy on every node. */
export const copiedTables: ReadonlySet<string> = new Set([
  ...[...script.matchAll(/^SELECT cluster_copy\('(\w+)'/gm)].map(([, table = ""]) => table),
  ...added.flatMap(([table, column]) => (column === "copied" ? table : []))
])
/** Functions that query all shards. */
const acrossTenants = new Set([
  "changes_since",
  "cheapest_pharmacy",
  "uses_of_trial",
  "owners_with_due",
  "owners_to_remind",
  "owners_past_retention",
  "move_watermarks"
])

type Tree = Readonly<Record<string, unknown>>
const isTree = (value: unknown): value is Tree => typeof value === "object" && value !== null
const kinds = ["SelectStmt", "InsertStmt", "UpdateStmt", "DeleteStmt"] as const
type Kind = (typeof kinds)[number]

const list = (value: unknown): ReadonlyArray<Tree> => (Array.isArray(value) ? value.filter(isTree) : [])
const at = (value: unknown, ...path: ReadonlyArray<string>): unknown =>
  path.reduce<unknown>((inner, key) => (isTree(inner) ? inner[key] : undefined), value)

/** The direct substatements of a node. */
const statementsIn = (node: unknown): ReadonlyArray<readonly [Kind, Tree]> => {
  if (!isTree(node)) return []
  return Object.entries(node).flatMap(([key, value]) => {
    const kind = kinds.find((one) => one === key)
    return kind !== undefined && isTree(value) ? [[kind, value] as const] : statementsIn(value)
  })
}

const has = (node: unknown, key: string): boolean =>
  isTree(node) && Object.entries(node).some(([name, value]) => name === key || has(value, key))

const functionsIn = (node: unknown): ReadonlyArray<string> =>
  isTree(node)
    ? Object.entries(node).flatMap(([key, value]) => [
        ...(key === "FuncCall" ? [String(at(list(at(value, "funcname")).at(-1), "String", "sval"))] : []),
        ...functionsIn(value)
      ])
    : []

const isConstant = (node: unknown): boolean =>
  at(node, "ParamRef") !== undefined ||
  at(node, "A_Const") !== undefined ||
  (at(node, "TypeCast") !== undefined && isConstant(at(node, "TypeCast", "arg")))

const nameIn = (column: unknown) => list(at(column, "ColumnRef", "fields")).map((field) => at(field, "String", "sval"))

/** Conditions joined with AND. */
const conjuncts = (node: unknown): ReadonlyArray<Tree> => {
  if (!isTree(node)) return []
  return at(node, "BoolExpr", "boolop") === "AND_EXPR" ? list(at(node, "BoolExpr", "args")).flatMap(conjuncts) : [node]
}

interface From {
  readonly relations: ReadonlyArray<Tree>
  readonly conditions: ReadonlyArray<Tree>
}
const nothing: From = { relations: [], conditions: [] }
const both = (a: From, b: From): From => ({
  relations: [...a.relations, ...b.relations],
  conditions: [...a.conditions, ...b.conditions]
})

const fromOf = (node: unknown): From => {
  const table = at(node, "RangeVar")
  if (isTree(table)) return { relations: [table], conditions: [] }
  const join = at(node, "JoinExpr")
  if (!isTree(join)) return nothing
  const sides = both(fromOf(join.larg), fromOf(join.rarg))
  return both(sides, { relations: [], conditions: conjuncts(join.quals) })
}

/** `alias.column = constant`, as the alias (or "") and the column. */
const constantsIn = (conditions: ReadonlyArray<Tree>) =>
  conditions.flatMap((condition) => {
    const { kind, name, lexpr, rexpr } = (at(condition, "A_Expr") ?? {}) as Tree // as: the parser's node
    if (kind !== "AEXPR_OP" || at(list(name)[0], "String", "sval") !== "=") return []
    return [
      [lexpr, rexpr],
      [rexpr, lexpr]
    ].flatMap(([column, value]) => {
      const path = nameIn(column)
      return path.length > 0 && isConstant(value)
        ? [{ alias: path.length > 1 ? path.at(-2) : "", column: path.at(-1) }]
        : []
    })
  })

/** Columns that a node casts. */
const castIn = (node: unknown): ReadonlyArray<string> =>
  isTree(node)
    ? Object.entries(node).flatMap(([key, value]) => [
        ...(key === "TypeCast" ? [String(nameIn(at(value, "arg")).at(-1))] : []),
        ...castIn(value)
      ])
    : []

/** What RETURNING must not have: Citus accepts immutable functions there, and a cast of a time to text is a stable one. */
const notReturned = (statement: Tree): ReadonlyArray<string> => {
  const returned = [statement.returningList, statement.returningClause]
  const isRefused =
    returned.some((one) => has(one, "SubLink")) || returned.flatMap(functionsIn).some((name) => /^jsonb?_/.test(name))
  const isTimeCast = returned.flatMap(castIn).some((name) => /(^|_)(date|at|during)$/.test(name))
  return [
    ...(isRefused ? ["a subquery or JSON in RETURNING"] : []),
    ...(isTimeCast ? ["a cast of a time in RETURNING"] : [])
  ]
}

const insertFaults = (statement: Tree): ReadonlyArray<string> => {
  const faults: Array<string> = []
  const writing = list(at(statement, "withClause", "ctes")).flatMap((one) =>
    statementsIn(at(one, "CommonTableExpr", "ctequery"))
  )
  const isPlaced = (written: Tree) => {
    const name = String(at(written, "relation", "relname"))
    return distributedTables.has(name) || copiedTables.has(name)
  }
  const written = writing.filter(([kind]) => kind !== "SelectStmt").map(([, one]) => one)
  if (written.length > 0 && [statement, ...written].some(isPlaced)) faults.push("a writing WITH that feeds an INSERT")
  if (has(statement.onConflictClause, "SubLink")) faults.push("a subquery in ON CONFLICT")
  const source = at(statement, "selectStmt", "SelectStmt")
  const rows = list(at(source, "valuesLists")).map((row) => list(at(row, "List", "items")))
  if (rows.length > 0 && has(at(source, "valuesLists"), "SubLink")) faults.push("a subquery in INSERT … VALUES")
  const table = String(at(statement, "relation", "relname"))
  const owner = distributedTables.get(table)
  if (owner === undefined) return faults
  const isReturning = statement.returningList !== undefined || statement.returningClause !== undefined
  if (rows.length === 0 && isReturning) faults.push("RETURNING of an INSERT … SELECT")
  const isCopied = rows.length === 0 && statement.onConflictClause === undefined
  const sources = list(at(source, "fromClause")).flatMap((one) => fromOf(one).relations)
  if (isCopied && !sources.some(({ relname }) => distributedTables.has(String(relname))))
    faults.push("an INSERT … SELECT without ON CONFLICT, which is copied in: row-level security refuses that")
  const index = list(statement.cols).findIndex((column) => at(column, "ResTarget", "name") === owner)
  const chosen = list(at(source, "targetList"))[index]
  const given = rows.length > 0 ? rows.map((row) => row[index]) : [at(chosen, "ResTarget", "val")]
  const isOwned = (value: unknown) => isConstant(value) || (rows.length === 0 && nameIn(value).at(-1) === owner)
  if (index < 0 || !given.every(isOwned)) faults.push(`a row of ${table} whose ${owner} is no constant`)
  return faults
}

const faultsIn = (kind: Kind, statement: Tree, outer: ReadonlySet<string>, depth: number): ReadonlyArray<string> => {
  const named = list(at(statement, "withClause", "ctes")).map((one) => String(at(one, "CommonTableExpr", "ctename")))
  const names = new Set([...outer, ...named])
  const sides = [statement.larg, statement.rarg].filter(isTree) // of a UNION
  const target = kind === "UpdateStmt" || kind === "DeleteStmt" ? [{ RangeVar: statement.relation }] : []
  const { relations, conditions } = [...list(statement.fromClause), ...list(statement.usingClause), ...target]
    .map(fromOf)
    .reduce(both, { relations: [], conditions: conjuncts(statement.whereClause) })
  const constants = constantsIn(conditions)
  const isLocked = list(statement.lockingClause).length > 0
  const unfiltered = relations.flatMap((relation) => {
    const name = String(relation.relname)
    const owner = names.has(name) ? undefined : distributedTables.get(name)
    const alias = at(relation, "alias", "aliasname") ?? name
    const isNamed = constants.some(
      (one) => one.column === owner && (one.alias === alias || (one.alias === "" && relations.length === 1))
    )
    if (owner === undefined || isNamed) return []
    return [`${isLocked ? "a row lock" : "a table"} without its owner: ${name}`]
  })
  const placeOf = ({ relname, schemaname }: Tree) => {
    const name = String(relname)
    if (schemaname !== undefined || names.has(name) || copiedTables.has(name)) return "anywhere"
    return distributedTables.has(name) ? "shards" : "coordinator"
  }
  const places = new Set(relations.map(placeOf))
  const isMixed = places.has("shards") && places.has("coordinator")
  const { larg, rarg, ...rest } = statement
  return [
    ...(isMixed ? ["a distributed table beside one of the coordinator"] : []),
    ...(kind === "InsertStmt" && depth > 0 ? ["an INSERT within WITH"] : []),
    ...(kind === "InsertStmt" ? insertFaults(statement) : []),
    // Citus 13 crashes on it
    ...(kind === "UpdateStmt" && has(statement.targetList, "A_Indirection") ? ["an array's element in SET"] : []),
    ...(distributedTables.has(String(at(statement, "relation", "relname"))) ? notReturned(statement) : []),
    ...unfiltered,
    ...statementsIn(rest).flatMap(([inner, one]) => faultsIn(inner, one, names, depth + 1)),
    ...sides.flatMap((side) => faultsIn("SelectStmt", side, names, depth + 1))
  ]
}

/** The reasons why a cluster would reject the statement, or run it on more than one node. */
export const clusterFaults = (text: string): ReadonlyArray<string> => {
  if (/\bpgboss\./.test(text)) return [] // on the coordinator
  const tree: unknown = parseSync(text)
  const called = functionsIn(tree).filter((name) => acrossTenants.has(name))
  const faults = statementsIn(tree).flatMap(([kind, statement]) => faultsIn(kind, statement, new Set(), 0))
  return [...new Set([...faults, ...called.map((name) => `a function that asks all shards: ${name}`)])]
}

/** Statements that query all nodes, by purpose. None of them is part of a patient's request. */
export const exceptions: Readonly<Record<"requests" | "commands" | "tasks", Readonly<Record<string, RegExp>>>> = {
  requests: {
    "an operator's keys under a master key": /^SELECT\s+CASE WHEN wrapped LIKE .* FROM data_keys GROUP BY 1/s,
    "an operator's figures of mails":
      /^SELECT waiting, failed, last_sent_at\s+FROM \(SELECT count\(\*\) AS waiting FROM messages WHERE status = 'pending' AND true\)/,
    "an operator's search of owners":
      /^SELECT (\*|count\(\*\)) FROM \(SELECT o\.organisation_uid AS uid, 'organisation' AS kind/,
    "an operator's backlog of webhooks":
      /^SELECT d\.owner_uid, d\.subscription_uid, s\.url.* FROM webhook_deliveries d\s/s,
    "an operator's parked payouts": /^SELECT [\w,\s]+ FROM payouts WHERE routing = 'parked'/,
    "an operator's waiting orders":
      /^SELECT s\.shop_identifier, o\.order_id, o\.waiting_name .*WHERE o\.waiting_since/s,
    "provisioning's uids that may be another's": /^SELECT organisation_uid FROM "\w+" WHERE uid = \$1$/,
    "organisations whose calendars a provisioning file changes":
      /^SELECT DISTINCT organisation_uid FROM \(\s+SELECT organisation_uid FROM organisations WHERE organisation_uid = ANY/,
    "provisioning's names that belong to one organisation":
      /^SELECT 1 FROM "\w+" WHERE "\w+" = \$1 AND organisation_uid <> \$2 LIMIT 1$/,
    "provisioning's uids of SKUs that may be another's":
      /^SELECT 1 FROM pharmacy_skus\s+WHERE uid = \$1 AND pharmacy_uid <> \$2/,
    "orders that carry a prescription, of any pharmacy":
      /FROM pharmacy_orders\s+WHERE prescription_uid = \$1 AND organisation_uid/,
    "orders that name a patient, of any pharmacy": /FROM pharmacy_orders o\s+WHERE o\.organisation_uid = \$1 AND o\.p/,
    "orders of a patient who is erased, of any pharmacy":
      /JOIN pharmacy_orders o ON o\.pharmacy_uid = k\.pharmacy_uid AND o\.uid = k\.pharmacy_order_uid/,
    "what an erasure takes out of orders, of any pharmacy":
      /^WITH gone AS \(UPDATE "pharmacy_orders" SET patient = NULL/,
    "the development provider's people": /^\s*\(SELECT 'doctor' AS role, uid, organisation_uid AS owner/
  },
  commands: {
    "what is kept of all organisations": /^SELECT count\(\*\) AS rows, min\(r\."\w+"\) AS oldest/,
    "whose audit logs there are":
      /FROM \(SELECT owner_uid FROM audit_heads UNION SELECT DISTINCT owner_uid FROM audit_chain\)/,
    "whose entries there are": /^SELECT DISTINCT owner_uid FROM audit_entries e$/,
    "keys of all owners, for a new master key": /^SELECT owner_uid, id, wrapped FROM data_keys$/,
    "secrets of all owners, for a new master key": /^SELECT ctid::text, ARRAY\[/,
    "erasures of all organisations": /^SELECT organisation_uid, patient_uid, .* FROM erasures ORDER BY erased_at/,
    "what stays of an erased organisation": /^SELECT 'pharmacy_orders' AS what, count\(\*\) FROM pharmacy_orders/
  },
  tasks: {
    "owners with due work": /^SELECT owner FROM owners_(with_due|to_remind|past_retention)\(/,
    "watermarks of reminders": /^SELECT move_watermarks\(/
  }
}

/**
 * A database that the service treats as distributed: on a cluster a distributed one; otherwise one whose roles are set by the
 * function that a cluster would have.
 */
export const clusterDatabase = async () => {
  const { url } = await freshDatabase(migrated)
  if (citusNodes.length > 0) return url
  await rowsAt(
    url,
    `CREATE FUNCTION cluster_tenancy(role text, organisation text, pharmacy text, request text) RETURNS void
    LANGUAGE plpgsql AS $$ BEGIN
      PERFORM set_config('role', coalesce(nullif(role, ''), 'none'), true),
        set_config('sprechstunde.organisation', organisation, true), set_config('sprechstunde.pharmacy', pharmacy, true),
        set_config('sprechstunde.request', request, true);
    END $$;
    CREATE TABLE cluster_commit (phases integer PRIMARY KEY); GRANT UPDATE ON cluster_commit TO PUBLIC`
  )
  return url
}
