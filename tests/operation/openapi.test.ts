import { afterAll, beforeAll, expect, test } from "bun:test"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { Api } from "../../script/generate/wholeApi.ts"
import { documentOf } from "../../src/capabilities/documentation/http/openapi/openapi.ts"
import { run, temporaryFolder } from "../support/processes.ts"
import { isLong } from "../support/scale.ts"
import { validatorOf } from "../support/validator.ts"

interface Media {
  readonly schema: object
  readonly example?: unknown
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>
}
interface Operation {
  readonly operationId?: string
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

const mediaOf = ({ requestBody, responses }: Operation) =>
  [requestBody, ...Object.values(responses)].flatMap((body) => Object.values(body?.content ?? {}))

test("every body has an example, which matches its schema", () => {
  const ajv = validatorOf(document)
  // most problems are the same everywhere
  const known = new Set<string>()
  for (const [name, { requestBody, responses }] of operations) {
    const [method = "", path = ""] = name.split(" ")
    const bodies = [
      [["requestBody"], requestBody] as const,
      ...Object.entries(responses).map(([status, response]) => [["responses", status], response] as const)
    ]
    for (const [place, body] of bodies)
      for (const [type, media] of Object.entries(body?.content ?? {})) {
        const { example, examples = {} } = media
        const shown = [
          ...(example === undefined ? [] : [example]),
          ...Object.values(examples).map(({ value }) => value)
        ]
        expect([name, ...place, shown.length]).not.toEqual([name, ...place, 0])
        const text = JSON.stringify(media)
        if (known.has(text)) continue
        known.add(text)
        // by its place in the document: so each schema that it refers to is compiled once
        const pointer = ["paths", path, method, ...place, "content", type, "schema"].map((one) =>
          encodeURIComponent(one.replaceAll("~", "~0").replaceAll("/", "~1"))
        )
        const check = ajv.getSchema(`document#/${pointer.join("/")}`)
        if (check === undefined) throw new Error(`the document has no schema at ${pointer.join("/")}`)
        for (const one of shown)
          expect({ name, place, valid: check(one), errors: check.errors ?? [] }).toEqual({
            name,
            place,
            valid: true,
            errors: []
          })
      }
  }
  expect(known.size).toBeGreaterThan(200)
})
