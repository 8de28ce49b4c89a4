/** Takes the pictures of the hosted pages that the README shows, from the demo world: `bun run screenshots`. */
import { mkdirSync } from "node:fs"
import { tmpdir } from "node:os"
import { Effect } from "effect"
import { SignJWT } from "jose"
import type { Browser, BrowserContextOptions, Page } from "playwright-core"
import { demoWorld } from "../src/layers/demo/world.ts"
import { demo } from "../src/services/provisioning/demo.ts"
import { Provisioning } from "../src/services/provisioning/Provisioning.ts"
import { launchBrowser } from "../tests/support/browser.ts"
import { startServer, type TestServer } from "../tests/support/server.ts"
import { accessToken } from "../tests/support/staff.ts"

const FOLDER = "docs/screenshots"
const DAY = 86_400

const patientToken = () => {
  const now = Math.floor(Date.now() / 1000)
  return new SignJWT({
    aud: "service-scheduling",
    iat: now,
    nbf: now,
    exp: now + 240,
    shop_identifier: demo.shopIdentifier,
    shop_customer_id: demo.customer,
    patient_profile_fields: []
  })
    .setProtectedHeader({ alg: "HS256", kid: demo.bookingKeyId })
    .sign(new TextEncoder().encode(demo.bookingSecret))
}

const launchUrl = async (server: TestServer) => {
  const now = Math.floor(Date.now() / 1000)
  const { body } = await server.api("POST", "/v1/scheduling/booking-sessions", {
    token: await patientToken(),
    body: {
      mode: "booking",
      appointment_type_uid: demo.consultation,
      from: now,
      to: now + 14 * DAY,
      return_url: "https://example.org/thanks"
    }
  })
  return body.launch_url as string
}

/** An appointment whose room is open. */
const openAppointment = async (server: TestServer) => {
  const uid = "apt_screenshot"
  const start_date = Math.floor(Date.now() / 1000) + 300
  const appointment = {
    uid,
    organisation_uid: demo.organisation,
    doctor_uid: "doc_demo_1",
    patient_uid: "pat_demo",
    appointment_type_uid: demo.consultation,
    status: "confirmed",
    start_date,
    end_date: start_date + 1200
  }
  await server.run(Effect.flatMap(Provisioning, ({ apply }) => apply({ appointments: [appointment] })))
  const link = await server.api("POST", `/v1/management/scheduling/appointments/${uid}/action-links`, {
    key: demo.managementKey,
    body: { action: "join" }
  })
  const bearer = await accessToken(server, {
    organisation_uid: demo.organisation,
    role: "doctor",
    doctor_uid: "doc_demo_1",
    ttlSeconds: 300
  })
  const doctor = await server.api("POST", `/v1/doctor/appointments/${uid}/join`, { bearer })
  const { room_name, token } = doctor.body
  return { patient: link.body.url as string, doctor: `${server.url}/meet/meeting/${room_name}?jwt=${token}&lang=en` }
}

/** What stands before the camera: somebody's outline, drawn, photographed and held in front of it as a film of one picture. */
const outline = async () => {
  const browser = await launchBrowser()
  const page = await browser.newPage({ viewport: { width: 640, height: 480 } })
  await page.setContent(`<style>body{margin:0}</style><svg width="640" height="480">
    <rect width="640" height="480" fill="#8fbab6"/><rect x="430" y="60" width="130" height="170" rx="8" fill="#d8ebe6"/>
    <path d="M90 480c10-150 120-190 210-190s200 40 210 190z" fill="#1f4a4f"/>
    <circle cx="300" cy="190" r="95" fill="#e7c7ac"/><path d="M200 190c-10-140 210-150 202 0-30-10-50-60-60-70-30 40-90 60-142 70z" fill="#3b2a20"/></svg>`)
  const file = `${tmpdir()}/sprechstunde-outline.mjpeg`
  await Bun.write(file, await page.screenshot({ type: "jpeg", quality: 90 }))
  await browser.close()
  return file
}

const open = async (browser: Browser, address: string, options: BrowserContextOptions = {}) => {
  const context = await browser.newContext({
    locale: "en-GB",
    timezoneId: "Europe/Berlin",
    viewport: { width: 860, height: 760 },
    ...options
  })
  const page = await context.newPage()
  await page.goto(address)
  return page
}

const take = async (page: Page, name: string) => {
  await page.screenshot({ path: `${FOLDER}/${name}.png`, animations: "disabled" })
  console.info(`${FOLDER}/${name}.png`)
}

const booking = async (browser: Browser, server: TestServer) => {
  const page = await open(browser, await launchUrl(server))
  await take(page, "booking-times")
  await page.locator(".times button").nth(3).click()
  await page.getByRole("heading", { name: "One more step" }).waitFor()
  await take(page, "booking-details")
  await page.getByRole("button", { name: "Book this appointment" }).click()
  await page.getByRole("heading", { name: "Your appointment is booked" }).waitFor()
  await take(page, "booking-done")
  const phone = { viewport: { width: 390, height: 760 }, colorScheme: "dark", locale: "de-DE" } as const
  await take(await open(browser, await launchUrl(server), phone), "booking-phone-dark")
}

const meeting = async (browser: Browser, server: TestServer) => {
  const { patient, doctor } = await openAppointment(server)
  const page = await open(browser, patient)
  await take(page, "appointment")
  const enter = page.getByRole("button", { name: "Enter the waiting room" })
  await enter.click()
  await page.getByRole("heading", { name: "Check camera and microphone" }).waitFor()
  // the made-up camera is named after the file of its picture
  await page.locator("select#video option").evaluate((option) => option.replaceChildren("Camera"))
  await take(page, "meeting-check")
  await enter.click()
  await page.getByText("Nobody is in the consulting room yet").waitFor()
  await take(page, "meeting-waiting-room")
  const other = await open(browser, doctor)
  await other.getByRole("button", { name: "Open the consulting room" }).click()
  await other.getByRole("button", { name: "Admit" }).waitFor()
  await take(other, "meeting-doctor")
  await other.getByRole("button", { name: "Admit" }).click()
  await page.locator('[data-call="connected"]').waitFor()
  await page.locator(".self video").waitFor()
  await page.waitForFunction(() => [...document.querySelectorAll("video")].every((video) => video.currentTime > 0))
  await take(page, "meeting-call")
}

mkdirSync(FOLDER, { recursive: true })
const server = await startServer()
await server.run(Effect.flatMap(Provisioning, ({ apply }) => apply(demoWorld(Math.floor(Date.now() / 1000)))))
const browser = await launchBrowser(`--use-file-for-fake-video-capture=${await outline()}`)
await booking(browser, server)
await meeting(browser, server)
await browser.close()
await server.stop()
process.exit(0)
