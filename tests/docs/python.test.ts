/** The partner's back end in Python, run as it stands: it books, and verifies the webhook of the booking. */
import { expect, test } from "bun:test"
import { freePort } from "../support/ports.ts"
import { run } from "../support/processes.ts"
import { testServer } from "../support/server.ts"
import { makeWorld } from "../support/world.ts"

const server = testServer()
const python = Bun.which("python3")

test.skipIf(python === null)("a token, a booking and a verified webhook with the standard library alone", async () => {
  const world = await makeWorld(server.current)
  const partner = run([python ?? "", "docs/partners/examples/partner.py"], {
    env: {
      BASE_URL: server.current.url,
      API_KEY: world.key,
      SHOP_UID: world.shop_uid,
      SHOP_IDENTIFIER: world.shop_identifier,
      APPOINTMENT_TYPE_UID: world.type_uid,
      BOOKING_KEY_ID: world.key_id,
      BOOKING_SECRET: world.secret,
      LISTEN_PORT: String(freePort())
    }
  })
  const status = await partner.ended
  const [, uid] = /^confirmed (apt_\w+)$/m.exec(partner.said()) ?? []
  expect([status, uid], partner.said()).toEqual([0, expect.any(String)])
  expect(partner.said()).toContain(`verified patient_doctor_meeting_updated ${uid}`)
  const read = await server.current.api("GET", `/v1/management/scheduling/appointments/${uid}`, { key: world.key })
  expect(read.body).toMatchObject({ status: "confirmed", patient_display_name: "Ada Example" })
})
