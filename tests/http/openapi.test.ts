import { expect, test } from "bun:test"
import { Api } from "../../src/http/Api.ts"
import { isDescribed } from "../../src/http/system/glossary.ts"
import { documentOf } from "../../src/http/system/openapi.ts"

type Node = Record<string, unknown>
const isNode = (node: unknown): node is Node => typeof node === "object" && node !== null

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

test("every field and every parameter says what it means", () => {
  const all = named(JSON.parse(JSON.stringify(documentOf(Api))), "")
  expect(all.length).toBeGreaterThan(500)
  expect(all.filter(([, node]) => !isDescribed(node) && !isDescribed(node.schema)).map(([name]) => name)).toEqual([])
})
