import { expect, test } from "bun:test"
import { Schema } from "effect"
import type { EventType } from "../../src/schemas/events/Event.ts"
import { PharmacyOrder } from "../../src/schemas/pharmacy/PharmacyOrder.ts"
import { PharmacySku } from "../../src/schemas/pharmacy/PharmacySku.ts"
import { exampleData } from "../../src/services/events/examples.ts"

const record = (type: EventType, field: string) => exampleData(type)[field]

test.each(["pharmacy_order.created", "pharmacy_order.status_updated", "pharmacy_order.completed"] as const)(
  "an example of %s holds a whole order",
  (type) => {
    expect(Schema.is(Schema.encodedSchema(PharmacyOrder))(record(type, "order"))).toBe(true)
  }
)

test("an example of pharmacy_sku.updated holds a whole pharmacy SKU", () => {
  expect(Schema.is(Schema.encodedSchema(PharmacySku))(record("pharmacy_sku.updated", "pharmacy_sku"))).toBe(true)
})
