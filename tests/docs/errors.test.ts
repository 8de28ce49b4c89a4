import { expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import { catalogue, document } from "../../script/generate/errors.ts"
import { Api } from "../../script/generate/wholeApi.ts"
import { documentOf } from "../../src/capabilities/documentation/http/openapi/openapi.ts"
import { problemCodes } from "../../src/http/problems.ts"

/** Without the formatter's padding of tables. */
const plain = (text: string) => text.replace(/ +/g, " ").replace(/-{3,}/g, "---")

test("the error catalogue matches the source: bun script/generate/errors.ts writes it", () => {
  expect(plain(readFileSync("docs/partners/errors.md", "utf8"))).toBe(plain(document()))
})

/** Every problem of every operation in the OpenAPI document: its status, and the codes of its examples. */
const shown = Object.values(JSON.parse(JSON.stringify(documentOf(Api))).paths as object).flatMap((methods) =>
  Object.values(methods as object).flatMap(({ responses }) =>
    Object.entries<{ description: string; content?: Record<string, Media> }>(responses)
      .filter(([status]) => Number(status) >= 400)
      .map(([status, { description, content }]) => ({
        status: Number(status),
        description,
        codes: Object.values(content ?? {}).flatMap(codesOf)
      }))
  )
)

interface Media {
  readonly example?: { readonly code: string }
  readonly examples?: Readonly<Record<string, { readonly value: { readonly code: string } }>>
}
function codesOf({ example, examples = {} }: Media) {
  const values = [example, ...Object.values(examples).map(({ value }) => value)]
  return values.flatMap((value) => value?.code ?? [])
}

test("the catalogue has every problem that an operation declares, with its status, and every operation declares its own", () => {
  const known = new Map(catalogue().map(({ code, status }) => [code, status]))
  expect(shown.length).toBeGreaterThan(100)
  for (const { status, description, codes } of shown) {
    expect(codes.length, description).toBeGreaterThan(0)
    for (const code of codes) {
      expect([code, known.get(code)]).toEqual([code, status])
      expect(description).toContain(`\`${code}\``)
    }
  }
})

test("every conflict has a meaning and, except those of pages, an operation that answers it", () => {
  const conflicts = problemCodes().filter(({ status }) => status === 409)
  for (const { meaning } of conflicts) expect(meaning).toMatch(/\S/)
  const answered = new Set(shown.flatMap(({ codes }) => codes))
  expect(conflicts.map(({ code }) => code).filter((code) => !answered.has(code))).toEqual([
    "prescription_not_usable",
    "no_pharmacy",
    "anamnesis_required"
  ])
})
