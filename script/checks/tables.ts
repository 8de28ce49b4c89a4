import type { SourceFile } from "./imports.ts"

const WRITE = /(?<!\bFOR(?: NO KEY)?\s+|\bDO\s+)\b(?:INSERT\s+INTO|UPDATE|DELETE\s+FROM|MERGE\s+INTO)\s+([a-z_]+)\b/g
const COMMENT = /^\s*(\*|\/\*|\/\/|--)/

const writesIn = ({ path, text }: SourceFile) => {
  const code = text
    .split("\n")
    .filter((line) => !COMMENT.test(line))
    .join("\n")
  return [...code.matchAll(WRITE)].map(([, table = ""]) => ({ table, path }))
}

/** Tables that more than one file of the service writes. */
export const tableFaults = (files: ReadonlyArray<SourceFile>): ReadonlyArray<string> => {
  const service = files.filter(({ path }) => path.startsWith("src/") && !path.startsWith("src/layers/migrations/"))
  return [...Map.groupBy(service.flatMap(writesIn), ({ table }) => table)].flatMap(([table, writes]) => {
    const paths = [...new Set(writes.map(({ path }) => path))]
    return paths.length > 1 ? [`${table} is written in ${paths.join(" and ")}: a table has one repository`] : []
  })
}
