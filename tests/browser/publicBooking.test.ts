/** Booking without a partner: a form, a code by mail, and then a session like any other. Section 5.8. */
import { describe, expect, test } from "bun:test"
import { readdir, readFile } from "node:fs/promises"
import { simpleParser } from "mailparser"
import { accessibilityFaults, testBrowser } from "../support/browser.ts"
import { eventually } from "../support/eventually.ts"
import { chooseLanguage } from "../support/examine.ts"
import { testServer } from "../support/server.ts"
import { makeWorld, random, type World } from "../support/world.ts"

const server = testServer()
const browser = testBrowser()

const open = () => makeWorld(server.current, { organisation: { public_booking: true }, type: { price: "Kasse" } })
const mailsTo = async (address: string) => {
  const folder = `${server.current.dataDir}/outbox`
  const files = await readdir(folder).catch(() => [])
  const mails = await Promise.all(
    files.filter((file) => file.endsWith(".eml")).map(async (file) => simpleParser(await readFile(`${folder}/${file}`)))
  )
  return mails.filter(({ to }) => JSON.stringify(to).includes(address))
}
const codeFor = async (address: string) => {
  const [mail] = await eventually(
    () => mailsTo(address),
    (mails) => mails.length > 0
  )
  return /\d{6}/.exec(mail?.subject ?? "")?.[0] ?? ""
}

describe.each([
  ["with JavaScript", true],
  ["without JavaScript", false]
])("booking without a partner, %s,", (_, javaScriptEnabled) => {
  test("leads from the form through the code to a booked appointment for a child, in the chosen format", async () => {
    const world = await open()
    const email = `${random("eltern")}@example.org`
    const { page, complaints } = await browser.open(`${server.current.url}/book/${world.shop_identifier}`, {
      javaScriptEnabled
    })
    if (javaScriptEnabled) expect(await accessibilityFaults(page)).toEqual([])
    await page.getByLabel("Termin in der Praxis").check()
    await page.getByLabel("Vorname").first().fill("Eva")
    await page.getByLabel("Nachname").first().fill("Muster")
    await page.getByLabel("E-Mail").fill(email)
    await page.getByText("Ich buche für mein Kind oder eine andere Person").click()
    await page.getByLabel("Vorname").last().fill("Kim")
    await page.getByLabel("Nachname").last().fill("Muster")
    await page.getByLabel("Geburtsdatum").last().fill("2020-05-04")
    if (javaScriptEnabled) {
      await chooseLanguage(page, "Türkçe")
      await page.getByRole("heading", { name: "Randevu al" }).waitFor()
      await chooseLanguage(page, "Deutsch")
      await page.getByRole("heading", { name: "Termin buchen" }).waitFor()
      expect(await page.getByLabel("Termin in der Praxis").isChecked()).toBe(true)
    }
    await page.getByRole("button", { name: "Weiter" }).click()
    const code = await codeFor(email)
    expect(code).toHaveLength(6)
    await page.getByLabel("Code").fill(code === "000000" ? "000001" : "000000")
    await page.getByRole("button", { name: "Weiter zu den Terminen" }).click()
    await page.getByText("Der Code stimmt nicht.").waitFor()
    if (javaScriptEnabled) expect(await accessibilityFaults(page)).toEqual([])
    await page.getByLabel("Code").fill(code)
    await page.getByRole("button", { name: "Weiter zu den Terminen" }).click()
    await page.locator(".times button:visible").first().click()
    await page.getByText("für Kim M.").waitFor()
    await page.getByRole("button", { name: "Termin verbindlich buchen" }).click()
    await page.getByRole("heading", { name: "Ihr Termin steht" }).waitFor()
    const list = await world.api("GET", "/v1/management/scheduling/appointments")
    expect(list.body.data).toMatchObject([{ patient_display_name: "Kim Muster", meeting_format: "IN_PERSON" }])
    const patients = await world.api("GET", "/v1/management/patients")
    expect(patients.body.data[0].profile).toMatchObject({ email, date_of_birth: "2020-05-04", booked_by: "Eva Muster" })
    expect(complaints).toEqual([])
  })
})

const post = (world: World, path: string, fields: Record<string, string>) =>
  server.current.api("POST", `/meet/book/${world.shop_identifier}${path}`, {
    body: new URLSearchParams(fields).toString(),
    headers: { "content-type": "application/x-www-form-urlencoded" }
  })
const details = (world: World, email: string) => ({
  appointment_type_uid: world.type_uid,
  meeting_format: "DIGITAL",
  first_name: "Eva",
  last_name: "Muster",
  date_of_birth: "1980-05-04",
  email,
  phone: ""
})
const tokenOf = (answer: { readonly headers: Headers }) =>
  new URL(answer.headers.get("location") ?? "", server.current.url).searchParams.get("token") ?? ""

/** The page to which a form leads. */
const pageAfter = async (answer: { readonly headers: Headers }): Promise<string> =>
  (await server.current.api("GET", answer.headers.get("location") ?? "")).body

test("it exists only where the organisation has enabled it", async () => {
  const world = await makeWorld(server.current)
  expect((await server.current.api("GET", `/meet/book/${world.shop_identifier}`)).status).toBe(404)
  const posted = await post(world, "", details(world, "a@example.org"))
  expect(await pageAfter(posted)).toContain("bietet hier keine Online-Buchung an")
})

test("an invalid form comes back with everything that was typed", async () => {
  const world = await open()
  const answer = await post(world, "", { ...details(world, "no address"), last_name: "Behalten" })
  expect(answer.status).toBe(303)
  const page = await pageAfter(answer)
  expect(page).toContain("Bitte prüfen Sie die markierten Felder")
  expect(page).toContain('value="Behalten"')
})

test("floods are limited: three codes per address, five attempts per code, none for programs; no patient is created", async () => {
  const world = await open()
  const email = `${random("flut")}@example.org`
  const first = await post(world, "", details(world, email))
  expect(first.status).toBe(303)
  for (const _ of [2, 3]) expect((await post(world, "", details(world, email))).status).toBe(303)
  expect(await pageAfter(await post(world, "", details(world, email)))).toContain("sehr viele Codes")
  const token = tokenOf(first)
  for (let attempt = 0; attempt < 5; attempt++)
    expect(await pageAfter(await post(world, "/code", { token, code: "x" }))).toContain("Der Code stimmt nicht")
  expect(await pageAfter(await post(world, "/code", { token, code: "x" }))).toContain("gilt nicht mehr")
  const robot = `${random("robot")}@example.org`
  expect((await post(world, "", { ...details(world, robot), leave_empty: "https://x.example" })).status).toBe(303)
  expect(await mailsTo(robot)).toEqual([])
  const patients = await world.api("GET", "/v1/management/patients")
  expect(patients.body.data).toEqual([])
})
