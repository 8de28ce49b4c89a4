import type { SourceFile } from "./imports.ts"

const WRITE = /(?<!\bFOR(?: NO KEY)?\s+|\bDO\s+)\b(?:INSERT\s+INTO|UPDATE|DELETE\s+FROM|MERGE\s+INTO)\s+([a-z_]+)\b/g
const COMMENT = /^\s*(\*|\/\*|\/\/|--)/

/** Tables with two writers still. A table leaves this list when its second writer has gone. */
const TWO_WRITERS: ReadonlySet<string> = new Set(["api_keys"])

const writesIn = ({ path, text }: SourceFile) => {
  const code = text
    .split("\n")
    .filter((line) => !COMMENT.test(line))
    .join("\n")
  return [...code.matchAll(WRITE)].map(([, table = ""]) => ({ table, path }))
}

/** Tables that more than one file of the service writes, and exceptions that are none any more. */
export const tableFaults = (
  files: ReadonlyArray<SourceFile>,
  exceptions: ReadonlySet<string> = TWO_WRITERS
): ReadonlyArray<string> => {
  const service = files.filter(({ path }) => path.startsWith("src/") && !path.startsWith("src/layers/migrations/"))
  const writers = Map.groupBy(service.flatMap(writesIn), ({ table }) => table)
  const shared = [...writers].flatMap(([table, writes]) => {
    const paths = [...new Set(writes.map(({ path }) => path))]
    return paths.length > 1 ? [{ table, paths }] : []
  })
  return [
    ...shared
      .filter(({ table }) => !exceptions.has(table))
      .map(({ table, paths }) => `${table} is written in ${paths.join(" and ")}: a table has one repository`),
    ...[...exceptions]
      .filter((table) => !shared.some((one) => one.table === table))
      .map((table) => `${table} has one writer now: remove it from TWO_WRITERS in script/checks/tables.ts`)
  ]
}
