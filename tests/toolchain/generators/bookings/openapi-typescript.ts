import createClient from "openapi-fetch"
import type { paths } from "../generated/openapi-typescript.ts"
import { appointment_type_uid, baseUrl, booking_token, present, range, shop_uid } from "./given.ts"

const client = createClient<paths>({ baseUrl })

const found = await client.POST("/v1/scheduling/slots/search", { body: { shop_uid, appointment_type_uid, ...range } })
const [slot] = present(found.data, found.error).slots
const { doctor_uid, start_date } = present(slot)
const opened = await client.POST("/v1/scheduling/booking-sessions", {
  body: { mode: "booking", appointment_type_uid, ...range, booking_token }
})
const { booking_launch_code } = present(opened.data, opened.error)
const held = await client.POST("/v1/scheduling/booking-sessions/{booking_launch_code}/holds", {
  params: { path: { booking_launch_code } },
  body: { doctor_uid, appointment_type_uid, start_date }
})
const { hold_uid } = present(held.data, held.error)
// the body is optional, as in the document
const confirmed = await client.POST("/v1/scheduling/booking-sessions/{booking_launch_code}/holds/{hold_uid}/confirm", {
  params: { path: { booking_launch_code, hold_uid } }
})
console.log(present(confirmed.data, confirmed.error).status)
