/** The booking pages of every type of the demo world, on a phone of 390 × 844 px: what a patient needs first is in view, and the pages stay small. */
import { expect, test } from "bun:test"
import { SignJWT } from "jose"
import { demo } from "../../src/services/provisioning/demo.ts"
import { testBrowser } from "../support/browser.ts"
import { ownServer } from "../support/server.ts"
import { inDays } from "../support/world.ts"

const server = ownServer({ PROVISION_FILE: "" })
const browser = testBrowser()

const HEIGHT = 844
const typesOf = async (shop: string): Promise<ReadonlyArray<{ readonly uid: string; readonly name: string }>> =>
  (await server.current.api("GET", `/v1/scheduling/appointment-types?shop_uid=${shop}`)).body.data

const session = async (shop_identifier: string, key_id: string, secret: string, appointment_type_uid: string) => {
  const now = Math.floor(Date.now() / 1000)
  const claims = { aud: "service-scheduling", shop_identifier, shop_customer_id: "fold", patient_profile_fields: [] }
  const token = await new SignJWT({ ...claims, iat: now, nbf: now, exp: now + 240 })
    .setProtectedHeader({ alg: "HS256", kid: key_id })
    .sign(new TextEncoder().encode(secret))
  const { body } = await server.current.api("POST", "/v1/scheduling/booking-sessions", {
    token,
    body: { mode: "booking", appointment_type_uid, from: inDays(0), to: inDays(60) }
  })
  return `${server.current.url}/meet/booking/${body.booking_launch_code}`
}

/** The lower edges of the first button and of the first time of the list, px, and the bytes over the wire. */
const measured = async (address: string) => {
  const { page } = await browser.open("about:blank", { viewport: { width: 390, height: HEIGHT } })
  const devtools = await page.context().newCDPSession(page)
  await devtools.send("Network.enable")
  let bytes = 0
  devtools.on("Network.loadingFinished", ({ encodedDataLength }) => {
    bytes += encodedDataLength
  })
  await page.goto(address, { waitUntil: "networkidle" })
  const bottomOf = async (selector: string) => {
    const box = await page.locator(selector).first().boundingBox()
    return box === null ? Number.NaN : Math.round(box.y + box.height)
  }
  return { button: await bottomOf(".next button"), time: await bottomOf(".times .time"), bytes }
}

test("the first time and the first button of every type are in view", async () => {
  const { practice } = demo
  for (const [shop, identifier, key_id, secret] of [
    [demo.shop, demo.shopIdentifier, demo.bookingKeyId, demo.bookingSecret],
    [practice.shop, practice.shopIdentifier, "bts_garten", "demo-practice-booking-token-secret-that-everybody-knows"]
  ] as const)
    for (const { uid, name } of await typesOf(shop)) {
      const { button, time, bytes } = await measured(await session(identifier, key_id, secret, uid))
      if (process.env.TEST_LOG_LEVEL !== undefined) console.info(`${name}: ${button} px, ${time} px, ${bytes} bytes`)
      expect([name, button <= HEIGHT, time <= HEIGHT, bytes < 12_000]).toEqual([name, true, true, true])
    }
})
