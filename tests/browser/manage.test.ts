/** The page of every link in mails: all actions of a patient on an appointment. Rule 5.5.2. */
import { expect, test } from "bun:test"
import { accentTokens } from "../../src/schemas/access/contrast.ts"
import { accessibilityFaults, testBrowser } from "../support/browser.ts"
import { enterWaitingRoom } from "../support/callers.ts"
import { mailsTo, pageLink } from "../support/codes.ts"
import { eventually } from "../support/eventually.ts"
import { doctorsMeeting, openAppointment } from "../support/meetings.ts"
import { stored } from "../support/records.ts"
import { testServer } from "../support/server.ts"
import { inDays, makeWorld, random } from "../support/world.ts"

const server = testServer()
const browser = testBrowser()

const PNG =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="

const branded = () =>
  makeWorld(server.current, {
    doctors: 1,
    type: { preparation: "Medikamentenliste bereithalten", cancellation_rule: "Bis zum Vortag", price: "Kasse" },
    organisation: {
      name: "Praxis am Markt",
      branding: {
        logo: PNG,
        accent_colour: "#7a1f5c",
        phone: "+49 30 123",
        address: "Markt 1, Berlin",
        imprint_url: "https://praxis.example/impressum",
        support_email: "hilfe@praxis.example"
      }
    }
  })

test("the manage page names the practice, how to prepare, and all prices", async () => {
  const world = await branded()
  await world.api("PATCH", `/v1/management/doctors/${world.doctor}`, {
    title: "Prof.",
    specialty: "Kardiologie",
    languages: ["de", "tr"],
    picture: PNG
  })
  const link = await pageLink(server.current, await world.booked(inDays(2, 10)), "join")
  const { page, complaints, requests } = await browser.open(link)
  for (const text of ["Praxis am Markt", "Medikamentenliste bereithalten", "Bis zum Vortag", "Kasse", "Kardiologie"])
    await page.getByText(text).first().waitFor()
  await page.getByText(`Prof. Dr. ${world.doctor}`).waitFor()
  await page.getByText("spricht Deutsch, Türkisch").waitFor()
  expect(await page.getByRole("link", { name: "Impressum" }).getAttribute("href")).toBe(
    "https://praxis.example/impressum"
  )
  expect(await page.getByRole("link", { name: "+49 30 123" }).getAttribute("href")).toBe("tel:+4930123")
  const colour = () => page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue("--accent"))
  expect(await colour()).toBe("#7a1f5c")
  await page.emulateMedia({ colorScheme: "dark" })
  expect(await colour()).toBe(accentTokens("#7a1f5c").dark["--accent"])
  expect(await accessibilityFaults(page)).toEqual([])
  await page.emulateMedia({ colorScheme: "light" })
  expect(await page.locator(".masthead img").evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1)
  expect(requests.filter((address) => !address.startsWith(server.current.url) && !address.startsWith("data:"))).toEqual(
    []
  )
  expect(complaints).toEqual([])
  expect(await accessibilityFaults(page)).toEqual([])
})

test("one link moves, cancels, and has a link mailed that books again", async () => {
  const world = await branded()
  const customer = random("p")
  const uid = await world.booked(inDays(2, 10), customer)
  const link = await pageLink(server.current, uid, "join")
  const { page } = await browser.open(link)
  await page.locator("summary", { hasText: "Termin verschieben" }).click()
  await page.getByRole("button", { name: "Neuen Termin wählen" }).click()
  await page.locator(".times button:visible").last().click()
  await page.getByRole("button", { name: "Termin verschieben" }).click()
  await page.getByRole("heading", { name: "Ihr Termin ist verschoben" }).waitFor()
  await page.goto(link)
  await page.getByText("Ihr Termin wurde verschoben. Dies ist der neue.").waitFor()
  await page.locator("summary", { hasText: "Termin absagen" }).click()
  await page.getByLabel("Grund").fill("Geht doch nicht")
  await page.getByRole("button", { name: "Termin absagen" }).click()
  await page.getByRole("heading", { name: "Ihr Termin ist abgesagt" }).waitFor()
  await page.getByRole("button", { name: "Terminlink per E-Mail anfordern" }).click()
  await page.getByText("Wir haben Ihnen einen Link geschickt").waitFor()
  const linkIn = async () => {
    const mails = await mailsTo(server.current, `${customer}@example.org`)
    const mail = mails.find(({ subject }) => subject === "Neuer Termin bei Praxis am Markt")
    return /http\S+\/booking\/\S+/.exec(mail?.text ?? "")?.[0] ?? ""
  }
  await page.goto(await eventually(linkIn, (found) => found !== ""))
  await page.locator(".times button:visible").first().click()
  await page.getByRole("button", { name: "Termin verbindlich buchen" }).click()
  await page.getByRole("heading", { name: "Ihr Termin steht" }).waitFor()
  expect((await stored(server.current, uid)).status).toBe("cancelled")
})

test("what an action has done is said where a phone's screen is, and announced", async () => {
  const consent = [
    { purpose: "video", version: "1", required: false, texts: [{ language: "de", text: "Ja zum Video" }] }
  ]
  const world = await makeWorld(server.current, { organisation: { consent } })
  const link = await pageLink(server.current, await openAppointment(world, "Lena"), "join")
  const { page } = await browser.open(link, { viewport: { width: 390, height: 844 } })
  for (const [fold, button, said] of [
    ["Ich verspäte mich", "Praxis Bescheid geben", "Danke. Wir haben der Praxis mitgeteilt"],
    ["Einwilligungen", "Einwilligen", "Ihre Einwilligungen sind gespeichert."]
  ] as const) {
    await page.locator("summary", { hasText: fold }).click()
    await page.getByRole("button", { name: button, exact: true }).click()
    const notice = page.locator("[data-notice][role=status]:focus", { hasText: said })
    await notice.waitFor()
    const { y = -1, height = 0 } = (await notice.boundingBox()) ?? {}
    expect([said, y >= 0, y + height <= 844]).toEqual([said, true, true])
    expect(await page.locator("details[open] > summary", { hasText: fold }).count()).toBe(1)
  }
})

test("the link leads to the moved appointment for as long as that one has links", async () => {
  const world = await makeWorld(server.current)
  const uid = await world.booked(inDays(2, 10))
  const link = await pageLink(server.current, uid, "cancel")
  await world.run(world.practice.rebook(uid, { new_start_date: inDays(25, 10), new_doctor_uid: world.doctor }))
  const [row] = await server.current
    .sql`SELECT extract(epoch FROM expires_at)::float8 AS until FROM action_links WHERE appointment_uid = ${uid}`
  expect([row?.until, (await fetch(link)).status]).toEqual([inDays(32, 10, 20), 200])
})

test("its calendar file has place, telephone and alarm; links to web calendars contain no action code", async () => {
  const world = await branded()
  const start_date = inDays(2, 10)
  const onSite = { start_date, end_date: start_date + 1200, meeting_format: "IN_PERSON" }
  const uid = await openAppointment(world, "Testa", onSite)
  const link = await pageLink(server.current, uid, "cancel")
  const file = (await (await fetch(`${link}/appointment.ics`)).text()).replace(/\r\n[ \t]/g, "")
  expect(file).toContain("LOCATION:Markt 1\\, Berlin")
  expect(file).toContain("Praxis am Markt: +49 30 123")
  expect(file).toContain("TRIGGER:-PT30M")
  expect(file).toContain(`URL;VALUE=URI:${link}`)
  const page = await (await fetch(link, { headers: { "accept-language": "de" } })).text()
  for (const host of ["calendar.google.com", "outlook.live.com"]) {
    const [address] = page.match(new RegExp(`href="https://${host}[^"]+"`)) ?? []
    expect(address).toContain("Markt")
    expect(address).not.toContain("aac_")
  }
})

test("'I am late' shows in the doctor's list at once and after a reload, until the patient arrives", async () => {
  const world = await branded()
  const uid = await openAppointment(world, "Lena")
  const doctor = await browser.open(await doctorsMeeting(server.current, world, uid))
  const enter = () => doctor.page.getByRole("button", { name: "Sprechzimmer öffnen" }).click()
  await enter()
  await doctor.page.getByText("Zurzeit wartet niemand.").waitFor()
  const link = await pageLink(server.current, uid, "join")
  const { page } = await browser.open(link)
  await page.getByText("Ich verspäte mich").click()
  await page.getByLabel("Um wie viele Minuten?").selectOption("15")
  await page.getByRole("button", { name: "Praxis Bescheid geben" }).click()
  await page.getByText("Danke. Wir haben der Praxis mitgeteilt, dass Sie etwa 15 Minuten später kommen.").waitFor()
  await doctor.page.getByText("Lena Patient kommt etwa 15 Minuten später.").waitFor()
  expect(await accessibilityFaults(doctor.page)).toEqual([])
  await doctor.page.reload()
  await enter()
  await doctor.page.getByText("Lena Patient kommt etwa 15 Minuten später.").waitFor()
  await enterWaitingRoom(page)
  await doctor.page.getByRole("button", { name: "Hereinbitten" }).waitFor()
  expect(await doctor.page.getByText("kommt etwa 15 Minuten später").count()).toBe(0)
})
