/** What the hosted pages look up: the appointment of a booking session, the organisation of a meeting room. */
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

export const hostedPages = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE INDEX appointments_of_session
    ON appointments (organisation_uid, booking_session_uid) WHERE booking_session_uid IS NOT NULL`
  yield* sql`CREATE INDEX appointments_room ON appointments (room_name)`
})
