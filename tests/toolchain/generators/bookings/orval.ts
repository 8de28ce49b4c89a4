import { confirmSessionHold, createBookingSession, createSessionHold, searchSlots } from "../generated/orval.ts"
import { appointment_type_uid, baseUrl, booking_token, present, range, shop_uid } from "./given.ts"

// its functions request relative paths
const plain = globalThis.fetch
globalThis.fetch = Object.assign(
  (input: string | URL | Request, init?: RequestInit) => plain(new URL(String(input), baseUrl), init),
  plain
)

const found = await searchSlots({ shop_uid, appointment_type_uid, ...range })
const [slot] = found.status === 200 ? found.data.slots : []
const { doctor_uid, start_date } = present(slot, found.data)
const opened = await createBookingSession({ mode: "booking", appointment_type_uid, ...range, booking_token })
const { booking_launch_code } = present(opened.status === 200 ? opened.data : undefined, opened.data)
const held = await createSessionHold(booking_launch_code, { doctor_uid, appointment_type_uid, start_date })
const { hold_uid } = present(held.status === 200 ? held.data : undefined, held.data)
const confirmed = await confirmSessionHold(booking_launch_code, hold_uid)
console.log(present(confirmed.status === 200 ? confirmed.data : undefined, confirmed.data).status)
