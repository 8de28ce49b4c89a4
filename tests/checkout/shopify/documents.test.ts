import { beforeAll, describe, expect, test } from "bun:test"
import { type GraphQLSchema, NoDeprecatedCustomRule, parse, specifiedRules, validate } from "graphql"
import * as documents from "../../../src/layers/storefront/shopify/documents.ts"
import { COUNTRY_CODES } from "../../../src/schemas/checkout/countryCodes.ts"
import { adminSchema, storefrontSchema } from "./schemas.ts"

let admin: GraphQLSchema
let storefront: GraphQLSchema
beforeAll(async () => {
  admin = await adminSchema()
  storefront = await storefrontSchema()
}, 60_000)

const faults = (schema: GraphQLSchema, document: string) =>
  validate(schema, parse(document), [...specifiedRules, NoDeprecatedCustomRule]).map(({ message }) => message)

const operations = Object.entries(documents).flatMap(([name, value]) =>
  typeof value === "object" && "document" in value ? [[name, value.document] as const] : []
)

describe("documents against Shopify's schemas", () => {
  test("there are documents to check", () => expect(operations.length).toBe(9))

  for (const [name, document] of operations) {
    test(name, () => {
      const schema = name === "cartCreate" ? storefront : admin
      expect(faults(schema, document)).toEqual([])
    })
  }

  test("a wrong field, a missing argument and a wrong variable type are caught", () => {
    const { document } = documents.draftOrderUpdate
    expect(faults(admin, document.replace("invoiceUrl", "invoiceLink"))).toEqual([
      expect.stringContaining('Cannot query field "invoiceLink"')
    ])
    expect(faults(admin, document.replace("id: $id,", ""))).toContainEqual(
      expect.stringContaining('of type "ID!" is required, but it was not provided')
    )
    expect(faults(admin, document.replace("$id: ID!", "$id: Int"))).toEqual([
      expect.stringContaining('Variable "$id" of type "Int" used in position expecting type "ID!"')
    ])
    expect(faults(storefront, document)).not.toEqual([])
  })

  test("our country codes match those of both APIs", () => {
    for (const schema of [admin, storefront]) {
      const type = schema.getType("CountryCode")
      const names = type && "getValues" in type ? type.getValues().map(({ name }) => name) : []
      expect([...COUNTRY_CODES].sort()).toEqual(names.sort())
    }
  })
})
