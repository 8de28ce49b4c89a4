// SPDX-License-Identifier: Apache-2.0
// A partner's back end with the client: a booking token, a booking, and a verified webhook.
//
// Settings come from the environment: BASE_URL, API_KEY (scheduling:read, scheduling:admin), SHOP_UID, SHOP_IDENTIFIER,
// APPOINTMENT_TYPE_UID, BOOKING_KEY_ID, BOOKING_SECRET, and LISTEN_PORT for the webhook. Without them it is the demo world.
import { createServer } from "node:http"
import { ConnectionError, isApiError, mintBookingToken, sprechstunde, verifyWebhook } from "@sprechstunde/client"
import { bookingClient } from "@sprechstunde/client/browser"

const {
  BASE_URL: baseUrl = "http://127.0.0.1:8080",
  API_KEY: apiKey = "spr_demo_management_key_0000000000000000000000",
  SHOP_UID: shop_uid = "shop_demo",
  SHOP_IDENTIFIER: shopIdentifier = "demo-shop",
  APPOINTMENT_TYPE_UID: appointment_type_uid = "aty_demo_consultation",
  BOOKING_KEY_ID: keyId = "bts_demo",
  BOOKING_SECRET: secret = "demo-booking-token-secret-that-everybody-knows",
  LISTEN_PORT: port = "9099"
} = process.env

const client = sprechstunde({ baseUrl, apiKey })

// Subscribe before you book. The secret is shown once.
const subscription = await client.createNotificationSubscription({
  body: { notification_type: "PATIENT_DOCTOR_MEETING_UPDATED", url: `http://127.0.0.1:${port}/` }
})

const received = new Promise((resolve) => {
  const server = createServer(async (request, response) => {
    const chunks = []
    for await (const chunk of request) chunks.push(chunk)
    const webhook = { headers: request.headers, body: Buffer.concat(chunks) }
    try {
      const event = await verifyWebhook(webhook, subscription.secret)
      response.writeHead(204).end() // answer first, work afterwards
      if (event.type !== "patient_doctor_meeting_updated") return
      resolve(event.data.appointment.uid)
      server.close()
    } catch {
      response.writeHead(401).end()
    }
  })
  server.listen(Number(port), "127.0.0.1")
})

// In the back end: the token vouches for one customer, and is exchanged for a launch code.
const from = Math.floor(Date.now() / 1000)
const to = from + 14 * 86_400
const bookingToken = await mintBookingToken(
  { keyId, secret },
  { shopIdentifier, customerId: `customer-${from}`, profile: { first_name: "Ada", last_name: "Example" } }
)
const { booking_launch_code } = await client.createBookingSession(
  { body: { mode: "booking", appointment_type_uid, from, to } },
  { bookingToken }
)

// On the page: the launch code is the only credential that a browser sees.
const page = bookingClient({ baseUrl })

/** Somebody may take a slot between the search and the booking: then it is the next one's turn. */
const book = async () => {
  const { slots } = await page.searchSlots({ body: { shop_uid, appointment_type_uid, from, to, limit: 3 } })
  for (const { doctor_uid, start_date } of slots)
    try {
      return await page.bookSessionAppointment({ booking_launch_code, body: { doctor_uid, start_date } })
    } catch (error) {
      if (!isApiError(error, "slot_taken")) throw error
    }
  throw new Error("nothing is free")
}

try {
  const { status, uid } = await book()
  console.log(status, uid)
  console.log("verified patient_doctor_meeting_updated", await received)
} catch (error) {
  if (!isApiError(error) && !(error instanceof ConnectionError)) throw error
  console.error(error.message)
  process.exit(1)
}
