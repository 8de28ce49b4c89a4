/** The event of a calendar that cannot be read. */
import { Schema } from "effect"
import { event } from "../../../schemas/events/definition.ts"
import { described } from "../../../schemas/fields.ts"
import { BusySource, BusySourceUid } from "./BusySource.ts"

export const busySourceEvents = {
  "busy_source.failing": event("busy_source.failing", {
    description:
      "A calendar kept elsewhere cannot be read: once for each time that it begins to fail. Its times stay; `when_stale` decides after 24 hours",
    owners: ["organisation"],
    notification_type: "BUSY_SOURCE_FAILING",
    data: {
      busy_source_uid: BusySourceUid,
      ...BusySource.pick("doctor_uid", "name", "last_success_at").fields,
      last_error: described(Schema.String, "Why it cannot be read, and what to do")
    },
    example: {
      busy_source_uid: "bsy_example",
      doctor_uid: "doc_demo_1",
      name: "Hospital rota",
      last_success_at: 2_051_848_800,
      last_error: "The server does not answer: check the address, or try again later"
    }
  })
} as const

type Events = typeof busySourceEvents
declare module "../../../schemas/events/catalogue.ts" {
  interface EventDefinitions extends Events {}
}
