import type { SourceFile } from "./imports.ts"

const WRITE = /(?<!\bFOR(?: NO KEY)?\s+|\bDO\s+)\b(?:INSERT\s+INTO|UPDATE|DELETE\s+FROM|MERGE\s+INTO)\s+([a-z_]+)\b/g
const READ = /\b(?:FROM|JOIN)\s+([a-z_]+)\b/g
const MADE = /\bCREATE TABLE ([a-z_]+)/g
const COMMENT = /^\s*(\*|\/\*|\/\/|--)/

/** The tables that a file's statements name so. */
const namedIn = ({ path, text }: SourceFile, statement: RegExp) => {
  const code = text
    .split("\n")
    .filter((line) => !COMMENT.test(line))
    .join("\n")
  return [...code.matchAll(statement)].map(([, table = ""]) => ({ table, path }))
}

/** Tables that more than one file of the service writes. */
export const tableFaults = (files: ReadonlyArray<SourceFile>): ReadonlyArray<string> => {
  const service = files.filter(({ path }) => path.startsWith("src/") && !path.startsWith("src/layers/migrations/"))
  return [
    ...Map.groupBy(
      service.flatMap((file) => namedIn(file, WRITE)),
      ({ table }) => table
    )
  ].flatMap(([table, writes]) => {
    const paths = [...new Set(writes.map(({ path }) => path))]
    return paths.length > 1 ? [`${table} is written in ${paths.join(" and ")}: a table has one repository`] : []
  })
}

/** Capabilities with statements over tables of the core or of others, and what they share. One that has none any more leaves the list. */
const STILL_READING: ReadonlySet<string> = new Set([
  "audit",
  "calendars",
  "cluster",
  "console",
  "embedded-shop",
  "forms",
  "holidays",
  "patient-rights",
  "public-booking",
  "recalls",
  "record-commands",
  "series",
  "shared",
  "statistics",
  "video",
  "waiting-list"
])

const capabilityOf = (path: string) => /^src\/capabilities\/([^/]+)\//.exec(path)?.[1]

/** Tables that a capability reads though it did not make them: it asks the service that owns their records. */
export const readFaults = (
  files: ReadonlyArray<SourceFile>,
  migrations: ReadonlyArray<SourceFile>,
  exceptions: ReadonlySet<string> = STILL_READING
): ReadonlyArray<string> => {
  const made = new Map(
    migrations.flatMap((file) => namedIn(file, MADE)).map(({ table, path }) => [table, capabilityOf(path)])
  )
  const present = new Set(files.map(({ path }) => capabilityOf(path)))
  const foreign = files.flatMap((file) => {
    const capability = capabilityOf(file.path)
    if (capability === undefined) return []
    return namedIn(file, READ)
      .filter(({ table }) => made.has(table) && made.get(table) !== capability)
      .map((read) => ({ ...read, capability }))
  })
  return [
    ...foreign
      .filter(({ capability }) => !exceptions.has(capability))
      .map(({ table, path }) => `${path} reads ${table}, which is no table of its capability`),
    ...[...exceptions]
      .filter((name) => present.has(name) && !foreign.some(({ capability }) => capability === name))
      .map((name) => `${name} reads its own tables only: remove it from STILL_READING in script/checks/tables.ts`)
  ]
}
