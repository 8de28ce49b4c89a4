import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { Ajv2020 } from "ajv/dist/2020.js"
import { Api } from "../../src/http/Api.ts"
import { documentOf } from "../../src/http/system/openapi.ts"
import { run, temporaryFolder } from "../support/processes.ts"
import { isLong } from "../support/scale.ts"

interface Media {
  readonly schema: object
  readonly example?: unknown
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>
}
interface Operation {
  readonly operationId?: string
  readonly summary?: string
  readonly tags?: ReadonlyArray<string>
  readonly security?: ReadonlyArray<unknown>
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> }
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, Media>> }>>
}

const document = JSON.parse(JSON.stringify(documentOf(Api)))
const operations: ReadonlyArray<readonly [string, Operation]> = Object.entries<Record<string, Operation>>(
  document.paths
).flatMap(([path, methods]) => Object.entries(methods).map(([method, of]) => [`${method} ${path}`, of] as const))

const folder = temporaryFolder()
const file = join(folder.path, "openapi.json")
beforeAll(() => writeFileSync(file, JSON.stringify(document, null, 2)))
afterAll(() => folder.remove())

if (isLong)
  test("Redocly reports no problem", async () => {
    const lint = run([process.execPath, "x", "--no-install", "redocly", "lint", file, "--config", "redocly.yaml"], {
      env: { REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" }
    })
    const status = await lint.ended
    expect(lint.said()).not.toMatch(/\[\d+\] /)
    expect(status).toBe(0)
  })

// Redocly reads the document in each run
if (isLong)
  test("Spectral reports only the trailing slashes that the specification demands", async () => {
    writeFileSync(
      join(folder.path, "spectral.yaml"),
      'extends: ["spectral:oas"]\nrules: { path-keys-no-trailing-slash: off }\n'
    )
    const lint = run([
      process.execPath,
      "x",
      "--no-install",
      "spectral",
      "lint",
      file,
      "-r",
      join(folder.path, "spectral.yaml")
    ])
    const status = await lint.ended
    expect(lint.said()).toContain("No results with a severity of 'error' found!")
    expect(lint.said()).not.toMatch(/\d+ problems?/)
    expect(status).toBe(0)
  })

test("every operation has a unique name of verb and noun, and every body a schema's name", () => {
  const all = operations.map(([, operation]) => operation)
  const ids = all.map(({ operationId }) => operationId)
  expect(ids.filter((id) => !/^[a-z]+([A-Z][a-z]*)+$/.test(id ?? ""))).toEqual([])
  expect(new Set(ids).size).toBe(ids.length)
  const unnamed = all.flatMap((operation) =>
    mediaOf(operation).flatMap(({ schema }) =>
      "$ref" in schema || !("properties" in schema) ? [] : [operation.operationId]
    )
  )
  expect(unnamed).toEqual([])
})

test("examples of answers contain realistic values and no placeholders", () => {
  const textsIn = (node: unknown): ReadonlyArray<unknown> =>
    typeof node === "object" && node !== null ? Object.values(node).flatMap(textsIn) : [node]
  for (const [name, { responses }] of operations)
    for (const [status, { content }] of Object.entries(responses))
      if (status.startsWith("2") && content?.["application/json"] !== undefined)
        expect([name, textsIn(content["application/json"].example)]).toEqual([
          name,
          expect.not.arrayContaining(["text"])
        ])
})

const ajv = new Ajv2020({ strict: false, logger: false })
ajv.addSchema({ $id: "document", ...document })

const mediaOf = ({ requestBody, responses }: Operation) =>
  [requestBody, ...Object.values(responses)].flatMap((body) => Object.values(body?.content ?? {}))

/** Of a body, by its place in the document: so each schema that it refers to is compiled once. */
const compiled = (place: ReadonlyArray<string>) => {
  const pointer = place.map((one) => encodeURIComponent(one.replaceAll("~", "~0").replaceAll("/", "~1"))).join("/")
  const check = ajv.getSchema(`document#/${pointer}/schema`)
  if (check === undefined) throw new Error(`the document has no schema at ${pointer}`)
  return check
}

describe.each(operations)("%s", (name, operation) => {
  test("has a summary, a group, its success and its problems", () => {
    expect(operation.summary).toBeString()
    expect(operation.tags).toHaveLength(1)
    const statuses = Object.keys(operation.responses)
    expect(statuses.some((status) => status.startsWith("2"))).toBe(true)
    expect(statuses).toContain("400")
    if ((operation.security ?? []).length > 0) expect(statuses).toContain("401")
  })

  test("has an example for every body, which matches its schema", () => {
    const [method = "", path = ""] = name.split(" ")
    const bodies = [
      [["requestBody"], operation.requestBody] as const,
      ...Object.entries(operation.responses).map(([status, response]) => [["responses", status], response] as const)
    ]
    const media = bodies.flatMap(([place, body]) =>
      Object.entries(body?.content ?? {}).map(([type, one]) => ({ ...one, place: [...place, "content", type] }))
    )
    for (const { place, example, examples } of media) {
      const shown = [
        ...(example === undefined ? [] : [example]),
        ...Object.values(examples ?? {}).map((one) => one.value)
      ]
      expect(shown.length).toBeGreaterThan(0)
      const check = compiled(["paths", path, method, ...place])
      for (const one of shown)
        expect({ valid: check(one), errors: check.errors ?? [], one }).toMatchObject({ valid: true, errors: [] })
    }
  })
})
