/**
 * Generates docs/partners/errors.md: every `code` of a response, from the table of errors; those of the HTTP server itself
 * are read from its source.
 */
import { readFileSync, writeFileSync } from "node:fs"
import { Glob } from "bun"
import { manifests } from "../../src/capabilities/index.ts"
import { type Problem, problemCodes } from "../../src/http/problems.ts"

manifests() // adds their errors

type Entry = Problem

/** Errors of the HTTP server itself. */
const edge = (text: string): ReadonlyArray<Entry> =>
  [...text.matchAll(/reply\((\d{3}), "(\w+)",\s*(?:\[?"([^"]+)"|`([^`]+)`|([^)]*))/g)].map(
    ([, status = "", code = "", plain, filled]) => ({
      status: Number(status),
      code,
      meaning: plain ?? filled?.replace(/\$\{[^}]*\}/g, "…") ?? special[code] ?? ""
    })
  )

/** Codes whose message is built when it is needed. */
const special: Readonly<Record<string, string>> = {
  invalid_request: "The request breaks rules; `error` lists every fault as `field: message`",
  not_found: "Not there, or not the caller's to see",
  not_ready: "The database does not answer, or migrations are pending",
  too_many_requests: "Too many requests; `Retry-After` says when to try again"
}

const sources = [...new Glob("src/**/*.{ts,tsx}").scanSync(".")].sort().map((path) => readFileSync(path, "utf8"))

/** Every code once, by status and name. */
export const catalogue = (): ReadonlyArray<Entry> => {
  const found = [...sources.flatMap(edge), ...problemCodes()]
  const byCode = new Map(found.map((entry) => [entry.code, entry]))
  return [...byCode.values()].sort((a, b) => a.status - b.status || a.code.localeCompare(b.code))
}

export const document = () => `# Error catalogue

Every error is JSON: \`error\` (a sentence; for 400 a list of \`field: message\`), \`code\` (a stable word for programs) and
\`trace_id\` (names the request in the service's logs and traces; send it along when you ask for help). The status says what
kind of trouble it is, the code which. This page is made from the source by \`bun script/generate/errors.ts\`.

| status | code | meaning |
| --- | --- | --- |
${catalogue()
  .map(({ status, code, meaning }) => `| ${status} | \`${code}\` | ${meaning.replaceAll("|", "\\|")} |`)
  .join("\n")}
`

if (import.meta.main) writeFileSync("docs/partners/errors.md", document())
