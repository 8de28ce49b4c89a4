/** Known while it is off, too. */
import { installed } from "../../capability.ts"
import { DAY, HOUR } from "../../schemas/seconds.ts"
import type { manifest } from "./manifest.ts"
import publicBooking from "./migrations/0001.sql" with { type: "text" }

export const publicBookingCapability = installed({
  name: "public-booking",
  migrations: [{ name: "public-booking/0001", text: publicBooking }],
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
  manifest: (): typeof manifest => require("./manifest.ts").manifest
})
