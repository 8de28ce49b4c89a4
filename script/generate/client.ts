/** Generates `clients/typescript/src/generated`, the types and the table of operations, from the OpenAPI document. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import {
  credentialsOf,
  type Document,
  documentNow,
  type Entry,
  entriesOf,
  headerOf,
  isForBrowsers,
  isForPartners,
  jsonOf,
  type Operation,
  resolve,
  successOf
} from "./document.ts"
import { descriptionOf, isIdentifier, typeOf } from "./schemaTypes.ts"

export const GENERATED = join(import.meta.dir, "../../clients/typescript/src/generated")

const HEAD = "// Made by `bun script/generate/client.ts` from the OpenAPI document. Changes here are lost.\n"

/** The paging of the list: by the `next` of a response, by page numbers, or none. */
const listOf = (entry: Entry, document: Document) => {
  const answer = resolve(jsonOf(successOf(entry.operation))?.schema, document)?.properties ?? {}
  const names = (entry.operation.parameters ?? []).filter((one) => one.in === "query").map(({ name }) => name)
  const items = answer.data?.items
  if (entry.method !== "GET" || items === undefined) return undefined
  const cursor = ["cursor", "next", "after"].find((name) => names.includes(name))
  if (names.includes("page") && answer.totalPages !== undefined) return { by: "page", items } as const
  return answer.next !== undefined && cursor !== undefined ? ({ by: cursor, items } as const) : undefined
}

const codesOf = ({ responses }: Operation) => {
  const codes = Object.entries(responses).flatMap(([status, body]) => {
    const media = jsonOf(body.content)
    if (status.startsWith("2") || media === undefined) return []
    const shown = [media.example, ...Object.values(media.examples ?? {}).map(({ value }) => value)]
    return shown.flatMap((one) => (typeof one === "object" && one !== null && "code" in one ? [String(one.code)] : []))
  })
  return [...new Set(codes)].toSorted()
}

const comment = (lines: ReadonlyArray<string | undefined>, indent = "") => {
  const documentation = lines
    .filter((line) => line !== undefined && line !== "")
    .map((line) => line?.replaceAll("*/", "*\\/"))
  if (documentation.length === 0) return ""
  if (documentation.length === 1) return `${indent}/** ${documentation[0]} */\n`
  return `${indent}/**\n${documentation.map((line) => `${indent} * ${line}\n`).join("")}${indent} */\n`
}

const inputOf = ({ parameters = [], requestBody }: Operation) => {
  const fields = parameters.filter((one) => one.in === "path" || one.in === "query")
  const lines = fields.map((one) => {
    const name = isIdentifier(one.name) ? one.name : JSON.stringify(one.name)
    return `${comment([one.description ?? descriptionOf(one.schema)], "      ")}      ${name}${one.required ? "" : "?"}: ${typeOf(one.schema)}\n`
  })
  const body = jsonOf(requestBody?.content)
  if (body !== undefined) lines.push(`      body${requestBody?.required ? "" : "?"}: ${typeOf(body.schema)}\n`)
  return lines.length === 0 ? "{}" : `{\n${lines.join("")}    }`
}

const resultOf = (operation: Operation) => {
  const content = successOf(operation)
  const json = jsonOf(content)
  if (json !== undefined) return typeOf(json.schema)
  return Object.keys(content).length === 0 ? "undefined" : "ArrayBuffer"
}

const operationType = (entry: Entry, document: Document) => {
  const { operation, method, path } = entry
  const list = listOf(entry, document)
  return (
    comment(
      [
        operation.summary,
        operation.description === `${operation.summary}.` ? undefined : operation.description,
        `\`${method} ${path}\``,
        operation.deprecated ? "@deprecated" : undefined
      ],
      "  "
    ) +
    `  ${operation.operationId}: {\n` +
    `    input: ${inputOf(operation)}\n` +
    `    result: ${resultOf(operation)}\n` +
    `    item: ${list === undefined ? "never" : typeOf(list.items)}\n` +
    `    code: ${codesOf(operation)
      .map((code) => JSON.stringify(code))
      .join(" | ")}\n` +
    "  }\n"
  )
}

const tableEntry = (entry: Entry, document: Document) => {
  const { operation, method, path } = entry
  const list = listOf(entry, document)
  const isKeyed = headerOf(operation, "idempotency-key") !== undefined
  const facts = [
    `method: ${JSON.stringify(method)}`,
    `path: ${JSON.stringify(path)}`,
    ...(credentialsOf(operation).length > 0 ? [`credentials: ${JSON.stringify(credentialsOf(operation))}`] : []),
    ...(isKeyed ? ["keyed: true"] : []),
    ...(list === undefined ? [] : [`list: ${JSON.stringify(list.by)}`])
  ]
  return `  ${operation.operationId}: { ${facts.join(", ")} }`
}

const table = (name: string, what: string, entries: ReadonlyArray<Entry>, document: Document) =>
  `/** ${what} */\nexport const ${name} = {\n${entries.map((entry) => tableEntry(entry, document)).join(",\n")}\n} as const satisfies Readonly<Record<string, Operation>>\n`

const schemasFile = ({ components }: Document) =>
  `${HEAD}${Object.entries(components.schemas)
    .map(([name, schema]) => `\n${comment([descriptionOf(schema)])}export type ${name} = ${typeOf(schema, "")}\n`)
    .join("")}`

const imports = (text: string, names: ReadonlyArray<string>) => {
  const used = names.filter((name) => new RegExp(`(?<![\\w"\`])${name}(?![\\w"])`).test(text))
  return `import type {\n${used.map((name) => `  ${name}`).join(",\n")}\n} from "./schemas.ts"\n`
}

const operationsFile = (document: Document, entries: ReadonlyArray<Entry>) => {
  const types = entries.map((entry) => operationType(entry, document)).join("\n")
  const withoutComments = types.replace(/\/\*\*[\s\S]*?\*\//g, "")
  return `${HEAD}${imports(withoutComments, Object.keys(document.components.schemas))}\n/** Every operation: what it takes, what it answers, what a list is made of, and the codes of its refusals. */\nexport interface Operations {\n${types}}\n`
}

const tablesFile = (document: Document, entries: ReadonlyArray<Entry>, forBrowsers: boolean) =>
  `${HEAD}import type { Operation } from "../operation.ts"\n\n${table(
    forBrowsers ? "browserOperations" : "backEndOperations",
    forBrowsers
      ? "Operations that need no secret: the code in the path is the credential, or there is none."
      : "Operations that need a key or a token of a back end.",
    entries.filter((entry) => isForBrowsers(entry) === forBrowsers),
    document
  )}`

const eventsFile = ({ webhooks }: Document) => {
  const events = Object.entries(webhooks).map(([type, { post }]) => {
    const media = jsonOf(post.requestBody?.content)
    return { type, name: media === undefined ? "unknown" : typeOf(media.schema), example: media?.example, post }
  })
  const names = events.map(({ name }) => name)
  return `${HEAD}import type { ${names.join(", ")} } from "./schemas.ts"\n\n/** The events by their type. */\nexport interface Events {\n${events
    .map(({ type, name, post }) => `${comment([post.summary], "  ")}  ${JSON.stringify(type)}: ${name}\n`)
    .join(
      ""
    )}}\n\n/** An example of each event, as the OpenAPI document has it. */\nexport const exampleEvents: Events = ${JSON.stringify(Object.fromEntries(events.map(({ type, example }) => [type, example])), null, 2)}\n`
}

/** The generated files by name, from the current document. */
export const clientFiles = (): Readonly<Record<string, string>> => {
  const document = documentNow()
  const entries = entriesOf(document).filter(isForPartners)
  const files = {
    "schemas.ts": schemasFile(document),
    "operations.ts": operationsFile(document, entries),
    "browserOperations.ts": tablesFile(document, entries, true),
    "backEndOperations.ts": tablesFile(document, entries, false),
    "events.ts": eventsFile(document)
  }
  return Object.fromEntries(
    Object.entries(files).map(([name, text]) => [name, `// SPDX-License-Identifier: Apache-2.0\n${text}`])
  )
}

/** The files in the repository. */
export const generatedFiles = (): Readonly<Record<string, string>> =>
  Object.fromEntries(readdirSync(GENERATED).map((file) => [file, readFileSync(join(GENERATED, file), "utf8")]))

if (import.meta.main) {
  rmSync(GENERATED, { recursive: true, force: true })
  mkdirSync(GENERATED, { recursive: true })
  for (const [file, text] of Object.entries(clientFiles())) writeFileSync(join(GENERATED, file), text)
}
