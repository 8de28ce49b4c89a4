import { beforeAll, expect, test } from "bun:test"
import { type GraphQLSchema, NoDeprecatedCustomRule, parse, specifiedRules, validate } from "graphql"
import * as documents from "../../../src/capabilities/shopify/services/documents.ts"
import { COUNTRY_CODES } from "../../../src/schemas/checkout/countryCodes.ts"
import { adminSchema, storefrontSchema } from "./schemas.ts"

let admin: GraphQLSchema
let storefront: GraphQLSchema
beforeAll(async () => {
  admin = await adminSchema()
  storefront = await storefrontSchema()
}, 60_000)

test("the documents are valid by Shopify's schemas, and use no deprecated field", () => {
  const operations = Object.entries(documents).flatMap(([name, value]) =>
    typeof value === "object" && "document" in value ? [{ name, document: value.document }] : []
  )
  expect(operations).not.toEqual([])
  for (const { name, document } of operations) {
    const schema = name === "cartCreate" ? storefront : admin
    expect([name, validate(schema, parse(document), [...specifiedRules, NoDeprecatedCustomRule])]).toEqual([name, []])
  }
})

test("our country codes match those of both APIs", () => {
  for (const schema of [admin, storefront]) {
    const type = schema.getType("CountryCode")
    const names = type && "getValues" in type ? type.getValues().map(({ name }) => name) : []
    expect([...COUNTRY_CODES].sort()).toEqual(names.sort())
  }
})
