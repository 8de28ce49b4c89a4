/**
 * Takes the screenshots of the documentation, from the demo data, as WebP: `bun run screenshots [name…]`. Each shows a hosted page on a
 * desktop, on a phone, in dark mode and in Arabic, or a page of the console on a desktop and on a phone.
 */
import { mkdirSync } from "node:fs"
import { readdir, readFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { SignJWT } from "jose"
import { simpleParser } from "mailparser"
import type { Browser, BrowserContextOptions, Page } from "playwright-core"
import { demoWorld } from "../src/capabilities/sandbox/services/demo/world.ts"
import { noBranding } from "../src/capabilities/shared/schemas/BrandingBodies.ts"
import { demo } from "../src/capabilities/shared/services/demo.ts"
import { Provisioning } from "../src/capabilities/shared/services/provisioning/Provisioning.ts"
import { mailHtml } from "../src/layers/mail/MailTemplateLive.tsx"
import { mailOf } from "../src/services/notifications/mail.ts"
import { type Language, negotiateLanguage } from "../src/texts/language.ts"
import { launchBrowser } from "../tests/support/browser.ts"
import { eventually } from "../tests/support/eventually.ts"
import { startServer, type TestServer } from "../tests/support/server.ts"
import { accessToken } from "../tests/support/staff.ts"

const FOLDER = "docs/screenshots"
const DAY = 86_400

/** The configurations of the screenshots. */
const looks = {
  desktop: { locale: "en-GB", viewport: { width: 1000, height: 844 } },
  phone: { locale: "de-DE", viewport: { width: 390, height: 844 } },
  dark: { locale: "tr-TR", viewport: { width: 390, height: 844 }, colorScheme: "dark" },
  arabic: { locale: "ar", viewport: { width: 390, height: 844 } }
} as const satisfies Record<string, BrowserContextOptions>

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

/** An appointment that can be joined. */
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
  return { uid, patient: link.body.url as string }
}

const doctorsAddress = async (server: TestServer, uid: string) => {
  const bearer = await accessToken(server, {
    organisation_uid: demo.organisation,
    role: "doctor",
    doctor_uid: "doc_demo_1",
    ttlSeconds: 300
  })
  const { body } = await server.api("POST", `/v1/doctor/appointments/${uid}/join`, { bearer })
  return `${server.url}/meet/meeting/${body.room_name}?jwt=${body.token}`
}

/** The fake camera's picture: a drawn silhouette, rendered and used as a video with one frame. */
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

/** The screenshots of each page, by its name, in the order of the configurations. */
const pictures = new Map<string, Array<string>>()

const asWebp = async (page: Page, quality: number) => {
  const devtools = await page.context().newCDPSession(page)
  const { data } = await devtools.send("Page.captureScreenshot", { format: "webp", quality })
  await devtools.detach()
  return data
}

const take = async (page: Page, name: string) => {
  await page.emulateMedia({ reducedMotion: "reduce" })
  pictures.set(name, [...(pictures.get(name) ?? []), await asWebp(page, 95)])
}

const wanted = process.argv.slice(2)
const isWanted = (name: string) => wanted.length === 0 || wanted.includes(name)

type Open = (address: string) => Promise<Page>

const mails = async (server: TestServer) => {
  const folder = `${server.dataDir}/outbox`
  const names = await readdir(folder).catch(() => [])
  return names.filter((name) => name.endsWith(".eml")).map((name) => `${folder}/${name}`)
}

/** The latest mail to the patient, as a mail program shows it. Returns its HTML. */
const mail = async (
  page: Page,
  server: TestServer,
  before: ReadonlyArray<string>,
  name: string,
  address = "patient@example.org"
) => {
  const toPatient = async () => {
    const files = (await mails(server)).filter((one) => !before.includes(one))
    const parsed = await Promise.all(files.map(async (file) => simpleParser(await readFile(file))))
    return parsed.filter(({ to }) => JSON.stringify(to).includes(`"${address}"`))
  }
  const [found] = await eventually(toPatient, (all) => all.length > 0)
  const html = found === undefined || found.html === false ? "" : found.html
  await takeMail(page, name, html)
  return html
}

const takeMail = async (page: Page, name: string, html: string) => {
  const shown = await page.context().newPage()
  await shown.setContent(html)
  await take(shown, name)
  await shown.close()
}

/** A reminder would come days later: rendered from the same data as the service would use. */
const reminder = async (page: Page, language: Language) => {
  const start_date = Date.UTC(2030, 0, 8, 9) / 1000
  const { html } = mailOf(
    {
      kind: "reminder",
      recipient: { role: "patient", display_name: "Erika Muster", timezone: "Europe/Berlin", language },
      organisation_name: "Demo-Praxis",
      message_texts: [],
      branding: { ...noBranding, accent_colour: "#1d5c8f", phone: "+49 30 000000", support_email: "help@example.org" },
      appointment: {
        first_uid: "apt_demo",
        moves: 0,
        start_date,
        end_date: start_date + 1200,
        doctor_display_name: "Dr. med. Demo Weber",
        patient_display_name: "Erika Muster",
        appointment_type_name: "Sprechstunde",
        meeting_format: "DIGITAL",
        visit_reason: null,
        cancellation_reason: null,
        rooms: [],
        preparation: null
      },
      visit_reason_in_messages: false,
      links: {
        join: "https://meet.example.org/appointment/aac_join",
        rebook: "https://meet.example.org/appointment/aac_rebook",
        cancel: "https://meet.example.org/appointment/aac_cancel"
      }
    },
    mailHtml
  )
  await takeMail(page, "mail-reminder", html)
}

const booking = async (open: Open, server: TestServer, language: Language) => {
  let before = await mails(server)
  const page = await open(`${await launchUrl(server)}?lang=${language}`)
  await take(page, "booking-times")
  await page.locator(".strip li:not(.pager) a").last().click()
  await page.locator('.strip a[aria-current="date"]').waitFor()
  await page.locator(".times button").nth(3).click()
  await page.locator("textarea").waitFor()
  await take(page, "booking-details")
  for (const box of await page.locator(".consent input").all()) await box.check()
  await page.locator(".actions .primary").click()
  await page.locator(".done").waitFor()
  await take(page, "booking-done")
  await mail(page, server, before, "mail-confirmation")

  before = await mails(server)
  await page.locator("button[value=rebook]").click()
  await page.waitForURL(/appointment/)
  await take(page, "appointment-move")
  await page.locator("button[value=rebook]").click()
  // the earliest may be too near to be cancelled
  await page.locator(".strip li:not(.pager) a").last().click()
  await page.locator('.strip a[aria-current="date"]').waitFor()
  await page.locator(".times button").first().click()
  await page.locator("textarea").waitFor()
  await page.locator(".actions .primary").click()
  await page.locator(".done").waitFor()
  await take(page, "booking-moved")
  const moved = await mail(page, server, before, "mail-moved")

  before = await mails(server)
  const [, link = ""] = /href="([^"]*\/appointment\/[^"]*)"/.exec(moved) ?? []
  await page.goto(link.replaceAll("&amp;", "&"))
  await take(page, "appointment-manage")
  await page.locator('a[href*="/devices"]').click()
  await page.locator('[data-connection="good"]').waitFor()
  await nameless(page)
  await take(page, "device-test")
  await page.locator(".actions .primary").click()
  await page.locator("details:has(button[value=cancel]) > summary").click()
  await page.locator("button[value=cancel]").click()
  await page.locator(".done").waitFor()
  await take(page, "appointment-cancelled")
  await mail(page, server, before, "mail-cancellation")
  await reminder(page, language)
  await page.goto(`${server.url}/meet/booking/unknown`)
  await take(page, "notice")
  await page.context().close()
}

const publicBooking = async (open: Open, server: TestServer) => {
  const page = await open(`${server.url}/meet/book/${demo.shopIdentifier}`)
  await take(page, "public-booking")
  for (const name of ["type", "format"])
    if ((await page.locator(`input[name=${name}]`).count()) > 0)
      await page.locator(`input[name=${name}]`).first().check()
  await page.locator(".actions .primary").click()
  await page.locator(".times button").first().click()
  await page.locator("#first_name").fill("Erika")
  await page.locator("#last_name").fill("Muster")
  await page.locator("#date_of_birth").fill("1980-05-04")
  const address = `${crypto.randomUUID()}@example.org`
  await page.locator("#email").fill(address)
  const before = await mails(server)
  await page.locator(".actions .primary").click()
  await page.locator("#code").waitFor()
  await take(page, "public-booking-code")
  await mail(page, server, before, "mail-code", address)
  await page.context().close()
}

/** The fake camera is named after the file of its picture. */
const nameless = async (page: Page) => {
  await page.locator("select#video option").evaluate((option) => option.replaceChildren("Camera"))
  await playing(page)
}

const playing = (page: Page) =>
  page.waitForFunction(() => [...document.querySelectorAll("video")].every((video) => video.currentTime > 0))

const meeting = async (
  open: Open,
  server: TestServer,
  { uid, patient }: Awaited<ReturnType<typeof openAppointment>>
) => {
  const page = await open(patient)
  await take(page, "appointment-open")
  await page.locator("form .primary").first().click()
  await page.locator("select#video").waitFor()
  await nameless(page)
  await take(page, "meeting-check")
  await page.locator(".controls .primary").click()
  await page.locator("[data-standing]").waitFor()
  await take(page, "meeting-waiting-room")
  const other = await open(await doctorsAddress(server, uid))
  await other.locator(".controls .primary").click()
  await other.locator(".queue button").waitFor()
  await take(other, "meeting-doctor")
  await other.locator(".queue button").click()
  await page.locator('[data-call="connected"]').waitFor()
  await page.locator(".self video").waitFor()
  await playing(page)
  await take(page, "meeting-call")
  await page.locator(".controls .leave").click()
  await page.locator(".actions .primary").waitFor()
  await take(page, "meeting-left")
  await page.context().close()
  await other.context().close()
}

/** The console of the demo practice, by the person who signs in, on a desktop and on a phone. */
const staffPages = [
  ["console-doctor", `doctor/${demo.practice.doctor}`, "/console/doctor"],
  ["console-practice", `admin/${demo.practice.organisation}`, "/console/practice"],
  ["console-pharmacy", `pharmacy/${demo.practice.pharmacies[0]}`, "/console/pharmacy"],
  ["console-statistics", `admin/${demo.practice.organisation}`, "/console/practice/statistics"],
  ["console-operator", "operator/operator", "/console/operator"]
] as const

const staffLooks = {
  desktop: { locale: "en-GB", viewport: { width: 1366, height: 844 } },
  phone: { locale: "de-DE", viewport: { width: 390, height: 844 } }
} as const satisfies Record<string, BrowserContextOptions>

const staff = async (browser: Browser) => {
  const server = await startServer({ PROVISION_FILE: "" })
  for (const [name, login_hint, to] of staffPages)
    for (const look of Object.values(staffLooks)) {
      const context = await browser.newContext({ timezoneId: "Europe/Berlin", ...look })
      const page = await context.newPage()
      await page.goto(`${server.url}/console/sign-in?${new URLSearchParams({ login_hint, to })}`)
      await page.locator("button[name=person]").click()
      await page.locator("form[action$=sign-out]").first().waitFor({ state: "attached" })
      if (name === "console-doctor")
        await page
          .getByText(/waiting since|wartet seit/)
          .first()
          .waitFor()
      await take(page, name)
      await context.close()
    }
  await server.stop()
}

mkdirSync(FOLDER, { recursive: true })
const browser = await launchBrowser(`--use-file-for-fake-video-capture=${await outline()}`)

/** The hosted pages, of the bare shop. */
const hosted = async () => {
  const server = await startServer({ RATE_LIMIT_PER_SECOND: "0" })
  await server.run(Effect.flatMap(Provisioning, ({ apply }) => apply(demoWorld())))
  await server.run(
    Effect.flatMap(
      SqlClient.SqlClient,
      (sql) => sql`UPDATE organisations SET added = added || '{"public_booking": true}'`
    )
  )
  const appointment = await openAppointment(server)
  for (const look of Object.values(looks)) {
    const open: Open = async (address) => {
      const context = await browser.newContext({ timezoneId: "Europe/Berlin", ...look })
      const page = await context.newPage()
      await page.goto(address)
      return page
    }
    await booking(open, server, negotiateLanguage({ chosen: undefined, acceptLanguage: look.locale }))
    await publicBooking(open, server)
    await meeting(open, server, appointment)
  }
  await server.stop()
}

const isConsole = (name: string) => name.startsWith("console-")
if (!wanted.every(isConsole) || wanted.length === 0) await hosted()
if (wanted.some(isConsole) || wanted.length === 0) await staff(browser)

/** The screenshots of one page side by side. */
const sheet = await browser.newPage({ viewport: { width: 2290, height: 884 } })
for (const [name, taken] of pictures) {
  if (!isWanted(name)) continue
  const images = taken.map((data) => `<img src="data:image/webp;base64,${data}">`).join("")
  await sheet.setContent(`<style>body{margin:0;padding:20px;display:flex;gap:20px;background:#c9d3d0;zoom:.6}
    img{display:block;flex:none;border-radius:12px}</style>${images}`)
  await sheet.waitForFunction(() => [...document.images].every(({ complete }) => complete))
  const widths = await sheet.evaluate(() => [...document.images].map(({ naturalWidth }) => naturalWidth))
  const width = 0.6 * widths.reduce((sum, one) => sum + one + 20, 20) // the zoom and the gaps of the style
  await sheet.setViewportSize({ width: Math.ceil(width), height: 531 })
  await Bun.write(`${FOLDER}/${name}.webp`, Buffer.from(await asWebp(sheet, 82), "base64"))
  console.info(`${FOLDER}/${name}.webp`)
}
await browser.close()
process.exit(0)
