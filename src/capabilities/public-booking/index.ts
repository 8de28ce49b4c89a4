/** A practice's own booking pages, where patients book without a partner: a form, a code by mail, then a session. Section 5.8. */
import { Effect } from "effect"
import { capability } from "../../capability.ts"
import { DAY, HOUR } from "../../schemas/seconds.ts"
import { extension, jobOf } from "../../services/Extensions.ts"
import { PublicBookingHttp } from "./http/PublicBookingHttp.tsx"
import publicBooking from "./migrations/0001.sql" with { type: "text" }
import { deskCards } from "./pages/deskCards.tsx"
import { ensureLegalPages, publicBookingFields } from "./schemas/settings.ts"
import { codeQueues, PublicBookings } from "./services/PublicBookings.ts"

export const publicBookingCapability = capability({
  name: "public-booking",
  migrations: [{ name: "public-booking/0001", text: publicBooking }],
  services: PublicBookings.Default,
  http: PublicBookingHttp,
  tables: { public_bookings: "organisation_uid" },
  retention: [
    {
      table: "public_bookings",
      since: "created_at",
      after: HOUR,
      unless: "r.request_sealed IS NULL",
      set: "request_sealed = NULL"
    },
    { table: "public_bookings", since: "created_at", after: DAY }
  ],
  queues: codeQueues,
  openPages: ["/book/"],
  organisationFields: publicBookingFields,
  staffPages: { cards: deskCards },
  extension: Effect.map(PublicBookings, ({ mail, beginsAgain }) =>
    extension({
      jobs: [jobOf("booking.code", ({ organisation_uid, uid }) => mail(organisation_uid, uid))],
      beginsAgain,
      organisationFields: ensureLegalPages
    })
  )
})
