import { expect, test } from "bun:test"
import { Api } from "../../src/http/Api.ts"
import { documentOf } from "../../src/http/system/openapi.ts"
import { testServer } from "../support/server.ts"
import { expectWritten } from "../support/written.ts"

type Node = Record<string, unknown>
const isNode = (node: unknown): node is Node => typeof node === "object" && node !== null

const document = JSON.parse(JSON.stringify(documentOf(Api)))

/** Every field and every parameter of the document, with its position. */
const named = (node: unknown, at: string): ReadonlyArray<readonly [string, Node]> => {
  if (!isNode(node)) return []
  const fields = isNode(node.properties) ? Object.entries(node.properties) : []
  const parameters = Array.isArray(node.parameters) ? node.parameters.map((one) => [String(one.name), one]) : []
  return [
    ...[...fields, ...parameters].map(([name, schema]) => [`${at}.${name}`, schema as Node] as const),
    ...Object.entries(node).flatMap(([key, child]) => named(child, `${at}.${key}`))
  ]
}

/** Whether a schema, or the one that it references, has a description. */
const isDescribed = (schema: unknown): boolean =>
  isNode(schema) &&
  (typeof schema.description === "string" ||
    typeof schema.$ref === "string" ||
    (Array.isArray(schema.anyOf) && schema.anyOf.some(isDescribed)))

test("every field and every parameter has a description", () => {
  const all = named(document, "")
  expect(all.length).toBeGreaterThan(500)
  expect(all.filter(([, node]) => !isDescribed(node) && !isDescribed(node.schema)).map(([name]) => name)).toEqual([])
})

test("every operation has a summary, every tag and every security scheme a description", () => {
  const operations = Object.entries<Record<string, Node>>(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => [`${method} ${path}`, operation.summary] as const)
  )
  expect(operations.filter(([, summary]) => typeof summary !== "string")).toEqual([])
  const described = (entries: ReadonlyArray<readonly [string, Node]>) =>
    entries.filter(([, { description }]) => typeof description !== "string").map(([name]) => name)
  expect(described(document.tags.map((tag: Node) => [String(tag.name), tag]))).toEqual([])
  expect(described(Object.entries(document.components.securitySchemes))).toEqual([])
})

/** The schema that a reference names, else the schema itself. */
const resolved = (schema: unknown): Node | undefined => {
  if (!isNode(schema)) return undefined
  if (typeof schema.$ref !== "string") return schema
  const path = schema.$ref.slice("#/".length).split("/")
  return resolved(path.reduce((node: unknown, key) => (isNode(node) ? node[key] : undefined), document))
}

/** Positions in a request schema where a list or text has no maximum, or a number no bound. */
const unbounded = (node: unknown, at: string): ReadonlyArray<string> => {
  const schema = resolved(node)
  if (schema === undefined) return []
  const types = [schema.type].flat()
  const closed = schema.enum !== undefined || schema.const !== undefined
  const isNumber = types.includes("integer") || types.includes("number")
  const boundless = isNumber && !closed && (schema.minimum === undefined || schema.maximum === undefined)
  const endless = types.includes("string") && schema.maxLength === undefined && !closed
  const children = (["anyOf", "oneOf", "allOf"] as const).flatMap((key) => [schema[key] ?? []].flat())
  return [
    ...(endless || boundless || (types.includes("array") && schema.maxItems === undefined) ? [at] : []),
    ...children.flatMap((child) => unbounded(child, at)),
    ...unbounded(schema.items, `${at}[]`),
    ...unbounded(schema.additionalProperties, `${at}.*`),
    ...Object.entries(isNode(schema.properties) ? schema.properties : {}).flatMap(([name, child]) =>
      unbounded(child, `${at}.${name}`)
    )
  ]
}

// Shows: large, deep and many bodies
// Shows: unbounded lists, with an error for each entry
test("every list and every text of a request has a maximum, every number both bounds", () => {
  const faults = Object.entries<Record<string, Node>>(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) => [
      ...[operation.parameters ?? []].flat().flatMap((one) => {
        const parameter = resolved(one)
        // a larger one is reduced
        if (parameter?.name === "limit") return []
        return unbounded(parameter?.schema, `${method} ${path} ${parameter?.name}`)
      }),
      ...Object.values(resolved(operation.requestBody)?.content ?? {}).flatMap((content) =>
        unbounded(isNode(content) ? content.schema : undefined, `${method} ${path} body`)
      )
    ])
  )
  expect(faults).toEqual([])
})

const server = testServer()

test("the document is small on the wire", async () => {
  const sizeOf = async (coding: string) => {
    const requested = { headers: { "accept-encoding": coding }, decompress: false }
    return (await (await fetch(`${server.current.url}/openapi.json`, requested)).arrayBuffer()).byteLength
  }
  const [plain, gzip, br] = [await sizeOf("identity"), await sizeOf("gzip"), await sizeOf("br")]
  expectWritten("OpenAPI document", { plain, gzip, br })
  expect(br).toBeLessThan(80_000)
  expect(gzip).toBeLessThan(140_000)
  expect(plain).toBeGreaterThan(10 * gzip)
})

test("an unchanged document is not sent again", async () => {
  const first = await server.current.api("GET", "/openapi.json")
  const etag = first.headers.get("etag") ?? ""
  expect(etag).toMatch(/^"[^"]+"$/)
  expect(first.headers.get("cache-control")).toBe("no-store") // Rule 2.9.2
  const again = await server.current.api("GET", "/openapi.json", { headers: { "if-none-match": etag } })
  expect([again.status, again.body, again.headers.get("etag")]).toEqual([304, "", etag])
  const other = await server.current.api("GET", "/openapi.json", { headers: { "if-none-match": '"other"' } })
  expect(other.status).toBe(200)
})

test("generating the document twice gives the same document", () => {
  expect(JSON.parse(JSON.stringify(documentOf(Api)))).toEqual(document)
})
