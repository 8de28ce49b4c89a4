/** The example back ends of `clients/`, unchanged: they book, and verify the webhook of the booking. */
import { expect, test } from "bun:test"
import { copyFileSync } from "node:fs"
import { join } from "node:path"
import { Webhook } from "standardwebhooks"
import { installedClient } from "../support/clientPackage.ts"
import { eventually } from "../support/eventually.ts"
import { freePort } from "../support/ports.ts"
import { run } from "../support/processes.ts"
import { testServer } from "../support/server.ts"
import { makeWorld } from "../support/world.ts"

const server = testServer()
const client = installedClient()

// The same programs are run by the quick start (quickStart.test.ts) on Node, Python and PHP
test("TypeScript on Bun: a token, a booking and a verified webhook", async () => {
  const script = join(client.project, "partner.mjs")
  copyFileSync("clients/typescript/examples/partner.mjs", script)
  const world = await makeWorld(server.current)
  const partner = run([process.execPath, "--no-install", script], {
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
  const read = await world.api("GET", `/v1/management/scheduling/appointments/${uid}`)
  expect(read.body).toMatchObject({ status: "confirmed", patient_display_name: "Ada Example" })
})

test("the receiver in PHP accepts only signed and recent deliveries", async () => {
  const secret = `whsec_${Buffer.alloc(32, 5).toString("base64")}`
  const address = `127.0.0.1:${freePort()}`
  const receiver = run(["php", "-q", "-S", address, "clients/php/partner.php"], { env: { WEBHOOK_SECRET: secret } })
  const body = JSON.stringify({ type: "patient_doctor_meeting_updated", data: { appointment: { uid: "apt_1" } } })
  const send = async (at: Date, sent = body) => {
    const headers = {
      "webhook-id": "evt_1",
      "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
      "webhook-signature": new Webhook(secret).sign("evt_1", at, body)
    }
    return (await fetch(`http://${address}/`, { method: "POST", headers, body: sent })).status
  }
  try {
    await eventually(
      () =>
        fetch(`http://${address}/`, { method: "POST" }).then(
          ({ status }) => status,
          () => 0
        ),
      (status) => status === 401
    )
    expect(await send(new Date())).toBe(204)
    expect(await send(new Date(), `${body} `)).toBe(401)
    expect(await send(new Date(Date.now() - 600_000))).toBe(401)
  } finally {
    await receiver.stop()
  }
})
