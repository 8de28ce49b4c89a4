import { expect, test } from "bun:test"
import { documents } from "../../script/generate/events.ts"
import { Api } from "../../script/generate/wholeApi.ts"
import { documentOf } from "../../src/capabilities/documentation/http/openapi/openapi.ts"
import { eventCatalogue } from "../../src/schemas/events/catalogue.ts"

test("the tables of events match the catalogue: bun script/generate/events.ts writes them", () => {
  for (const { path, current, wanted } of documents()) expect([path, current]).toEqual([path, wanted])
})

test("the OpenAPI document has a schema and a webhook for every event", () => {
  const { components, webhooks } = JSON.parse(JSON.stringify(documentOf(Api)))
  for (const { type, identifier } of Object.values(eventCatalogue)) {
    expect(components.schemas[identifier].properties.type.enum).toEqual([type])
    expect([type, type in webhooks]).toEqual([type, true])
  }
})
