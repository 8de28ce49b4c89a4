import { expect, test } from "bun:test"
import { Api } from "../../src/http/Api.ts"
import { documentOf } from "../../src/http/system/openapi.ts"

type Node = Record<string, unknown>
const isNode = (node: unknown): node is Node => typeof node === "object" && node !== null

const document = JSON.parse(JSON.stringify(documentOf(Api)))

/** Every field and every parameter that the document names, with where it stands. */
const named = (node: unknown, at: string): ReadonlyArray<readonly [string, Node]> => {
  if (!isNode(node)) return []
  const fields = isNode(node.properties) ? Object.entries(node.properties) : []
  const parameters = Array.isArray(node.parameters) ? node.parameters.map((one) => [String(one.name), one]) : []
  return [
    ...[...fields, ...parameters].map(([name, schema]) => [`${at}.${name}`, schema as Node] as const),
    ...Object.entries(node).flatMap(([key, child]) => named(child, `${at}.${key}`))
  ]
}

/** Whether a schema says itself, or by the one that it names, what it means. */
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
