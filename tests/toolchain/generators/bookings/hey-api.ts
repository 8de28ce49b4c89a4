import { client } from "../generated/hey-api/client.gen.ts"
import {
  confirmSessionHold,
  createBookingSession,
  createSessionHold,
  searchSlots
} from "../generated/hey-api/sdk.gen.ts"
import { appointment_type_uid, baseUrl, booking_token, present, range, shop_uid } from "./given.ts"

client.setConfig({ baseUrl })

const found = await searchSlots({ body: { shop_uid, appointment_type_uid, ...range } })
const [slot] = present(found.data, found.error).slots
const { doctor_uid, start_date } = present(slot)
const opened = await createBookingSession({
  body: { mode: "booking", appointment_type_uid, ...range, booking_token }
})
const { booking_launch_code } = present(opened.data, opened.error)
const held = await createSessionHold({
  path: { booking_launch_code },
  body: { doctor_uid, appointment_type_uid, start_date }
})
const { hold_uid } = present(held.data, held.error)
const confirmed = await confirmSessionHold({ path: { booking_launch_code, hold_uid } })
console.log(present(confirmed.data, confirmed.error).status)
