import { expect, test } from "bun:test"
import { Schema } from "effect"
import { Event, eventCatalogue } from "../../src/schemas/events/catalogue.ts"

const strict = Schema.decodeUnknownSync(Event, { onExcessProperty: "error" })

test.each(Object.values(eventCatalogue))(
  "the example of $type matches its schema and is complete",
  ({ type, example }) => {
    const data: unknown = strict({ id: "evt_example", type, timestamp: 0, data: example }).data
    expect(data).toEqual(example)
  }
)
