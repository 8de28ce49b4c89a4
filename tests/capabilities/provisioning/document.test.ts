/** Documentation of provisioning files: an example, a JSON Schema, a page. */
import { expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import { Ajv } from "ajv"
import { Effect, JSONSchema, Record } from "effect"
import { exampleFile } from "../../../src/capabilities/documentation/services/provisioningExample.ts"
import { manifests } from "../../../src/capabilities/index.ts"
import { provisionedLists, provisioningFile } from "../../../src/capabilities/shared/schemas/ProvisioningFile.ts"
import { listsOf } from "../../../src/capabilities/shared/services/provisioning/entry.ts"
import { Provisioning } from "../../../src/capabilities/shared/services/provisioning/Provisioning.ts"
import { testServer } from "../../support/server.ts"

const server = testServer()
const added = listsOf(manifests())
const lists = provisionedLists(added)
const schema = JSONSchema.make(provisioningFile(added))
const examples = Record.map(added, ({ example }) => example)
const validate = new Ajv({ strict: false }).compile(schema)

test("the example has an entry in every list and is applied unchanged", async () => {
  const example = JSON.parse(JSON.stringify({ ...(await Effect.runPromise(exampleFile)), ...examples }))
  expect(
    Object.keys(example)
      .filter((name) => name !== "$schema")
      .sort()
  ).toEqual(lists.toSorted())
  for (const list of lists) expect(example[list].length).toBeGreaterThan(0)
  const applied = await server.current.run(Effect.flatMap(Provisioning, ({ apply }) => apply(example)))
  expect(applied.written).toBe(lists.reduce((sum, list) => sum + example[list].length, 0))
})

test("each example has its own keys", async () => {
  const keysOf = ({ api_keys }: Effect.Effect.Success<typeof exampleFile>) => api_keys.map(({ key }) => key)
  const keys = (await Effect.runPromise(Effect.all([exampleFile, exampleFile]))).flatMap(keysOf)
  expect(new Set(keys).size).toBe(keys.length)
})

test("the JSON Schema accepts the example and refuses what the service refuses", async () => {
  const example = JSON.parse(JSON.stringify({ ...(await Effect.runPromise(exampleFile)), ...examples }))
  expect([validate(example), validate.errors]).toEqual([true, null])
  expect(validate({})).toBe(true)
  for (const faulty of [
    { unknown_list: [] },
    { doctors: [{ uid: "doc", organisation_uid: "org" }] },
    { doctors: [{ ...example.doctors[0], colour: "blue" }] },
    { reminders: [{ ...example.reminders[0], minutes_before: 0 }] },
    { availability_rules: [{ ...example.availability_rules[0], weekday: 7 }] },
    { api_keys: [{ ...example.api_keys[0], key: "short" }] }
  ])
    expect({ faulty, valid: validate(faulty) }).toEqual({ faulty, valid: false })
})

test("the page names every list and every field", () => {
  const page = readFileSync("docs/provisioning.md", "utf8")
  const properties = schema as unknown as {
    readonly properties: Readonly<
      Record<string, { readonly items?: { readonly properties?: Readonly<Record<string, unknown>> } }>
    >
  }
  for (const list of lists) {
    expect(page).toContain(`\n### ${list}\n`)
    const section = page.split(`\n### ${list}\n`)[1]?.split("\n### ")[0] ?? ""
    if (section.includes("(specification/")) continue // a rule lists them, and is checked itself
    for (const field of Object.keys(properties.properties[list]?.items?.properties ?? {}))
      expect({ list, field, named: section.includes(`\`${field}\``) }).toEqual({ list, field, named: true })
  }
})
