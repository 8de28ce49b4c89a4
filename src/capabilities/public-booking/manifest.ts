/** A practice's own booking pages, where patients book without a partner: a form, a code by mail, then a session. Section 5.8. */
import { Effect } from "effect"
import { capability } from "../../capability.ts"
import { extension, jobOf } from "../../services/Extensions.ts"
import { PublicBookingHttp } from "./http/PublicBookingHttp.tsx"
import { deskCards } from "./pages/deskCards.tsx"
import { ensureLegalPages, publicBookingFields } from "./schemas/settings.ts"
import { codeQueues, PublicBookings } from "./services/PublicBookings.ts"

export const manifest = capability({
  name: "public-booking",
  services: PublicBookings.Default,
  http: PublicBookingHttp,
  tables: { public_bookings: "organisation_uid" },
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
