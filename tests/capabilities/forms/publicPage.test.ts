/** Asking in writing without a partner, from the practice's own page to the answer (Rules 5.8.12 and 22.9.7). */
import { describe, expect, test } from "bun:test"
import { accessibilityFaults, scripting, testBrowser } from "../../support/browser.ts"
import { mailsTo, mailTo } from "../../support/codes.ts"
import { arrived } from "../../support/eventually.ts"
import { chooseLanguage } from "../../support/examine.ts"
import { testServer } from "../../support/server.ts"
import { makeWorld, random, type World } from "../../support/world.ts"

const server = testServer()
const browser = testBrowser()
const SECRET = "Salbe-5817"

/** A practice that takes requests; the address of its page. */
const scene = async (organisation: Readonly<Record<string, unknown>> = { public_booking: true }) => {
  const world = await makeWorld(server.current, { organisation })
  const items = [{ link_id: "what", type: "text", text: "Worum geht es?", required: true }]
  const form = await world.api("POST", "/v1/management/forms", { title: "Ihr Anliegen", items })
  const { body: type } = await world.api("POST", "/v1/management/request-types", {
    name: { de: "Überweisung", en: "Referral", ar: "إحالة" },
    kind: "referral",
    form_uid: form.body.uid,
    answer_within_minutes: 60
  })
  return { world, type, at: `/meet/book/${world.shop_identifier}` }
}

const begin = (at: string, email: string) =>
  server.current.api("POST", at, {
    body: new URLSearchParams({ first_name: "Eva", last_name: "Muster", date_of_birth: "1980-05-04", email })
  })
const switchOff = (world: World, uid: unknown) =>
  world.api("PATCH", `/v1/management/request-types/${uid}`, { active: false })

test("the page is there where the practice takes requests and books without a partner, and is linked", async () => {
  const { world, type, at } = await scene()
  const page = await server.current.api("GET", at)
  expect(page.text).toContain(`href="${at}/requests"`)
  expect((await server.current.api("GET", `${at}/requests`)).text).toContain("Anfrage an Ihre Praxis")
  for (const none of ["others", "others/code", "%E6%97%A5/code", "..%2F..%2Fconsole/code"])
    expect([none, (await server.current.api("GET", `${at}/${none}`)).status]).toEqual([none, 404])
  const sent = { body: new URLSearchParams({ token: "a", code: "1" }) }
  for (const none of ["others", "%E6%97%A5", "x%0D%0Ay"])
    expect((await server.current.api("POST", `${at}/${none}/code`, sent)).status).toBeLessThan(500)
  const email = `${random("eva")}@example.org`
  expect((await begin(`${at}/requests`, "nobody")).headers.get("location")).toContain("notice=invalid")
  expect((await begin(`${at}/requests`, email)).headers.get("location")).toContain(`${at}/requests/code?token=`)
  await switchOff(world, type.uid)
  expect((await server.current.api("GET", `${at}/requests`)).status).toBe(404)
  expect((await begin(`${at}/requests`, email)).headers.get("location")).toBe(`${at}/requests`)
  expect((await server.current.api("GET", at)).text).not.toContain("/requests")
  const without = await scene({})
  expect((await server.current.api("GET", `${without.at}/requests`)).status).toBe(404)
})

test("its codes count together with those of bookings; Rule 5.8.4", async () => {
  const { world, at } = await scene()
  const email = `${random("eva")}@example.org`
  for (let code = 0; code < 3; code++)
    expect((await begin(`${at}/requests`, email)).headers.get("location")).toContain("token=")
  const person = { first_name: "Eva", last_name: "Muster", date_of_birth: "1980-05-04", email }
  const booking = { appointment_type_uid: world.type_uid, meeting_format: "DIGITAL", ...person }
  const refused = await server.current.api("POST", at, { body: new URLSearchParams(booking) })
  expect(refused.headers.get("location")).toContain("notice=tooMany")
})

describe.each(scripting)("a request without a partner, %s,", (_, javaScriptEnabled) => {
  test("is sent after a code from a mail, and its answer is read by the link of another", async () => {
    const { world, at } = await scene()
    const email = `${random("eva")}@example.org`
    const { page, complaints } = await browser.open(`${server.current.url}${at}`, {
      viewport: { width: 375, height: 667 },
      javaScriptEnabled
    })
    const examine = async () => {
      if (javaScriptEnabled) expect(await accessibilityFaults(page)).toEqual([])
      expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true)
    }
    await page.getByRole("link", { name: "Ohne Termin schriftlich anfragen" }).click()
    await page.getByRole("heading", { name: "Anfrage an Ihre Praxis" }).waitFor()
    await examine()
    if (javaScriptEnabled) {
      await chooseLanguage(page, "العربية")
      await page.getByRole("heading", { level: 1 }).waitFor()
      await examine()
      await chooseLanguage(page, "Deutsch")
    }
    await page.getByLabel("Vorname").first().fill("Eva")
    await page.getByLabel("Nachname").first().fill("Muster")
    await page.getByLabel("Geburtsdatum").first().fill("1980-05-04")
    await page.getByLabel("E-Mail").fill(email)
    await page.getByRole("button", { name: "Weiter" }).click()
    await page.getByLabel("Code").waitFor()
    await examine()
    await page.getByRole("link", { name: "Angaben ändern" }).click()
    await page.getByRole("heading", { name: "Anfrage an Ihre Praxis" }).waitFor()
    await page.goBack()
    const code = /\d{6}/.exec((await mailTo(server.current, email))?.subject ?? "")?.[0] ?? ""
    await page.getByLabel("Code").fill(code)
    await page.getByRole("button", { name: "Weiter" }).click()
    await page.getByRole("link", { name: "Überweisung" }).click()
    expect(new URL(page.url()).pathname).toMatch(/\/booking\/blc_[^/]+\/requests\/rqt_[^/]+$/)
    await page.getByLabel("Worum geht es?").fill(SECRET)
    await page.getByRole("button", { name: "Weiter" }).click()
    await page.getByRole("button", { name: "Anfrage absenden" }).click()
    await page.getByText("Ihre Praxis hat Ihre Anfrage erhalten.").waitFor()
    await examine()
    const { data } = (await world.api("GET", "/v1/management/requests")).body
    expect(data).toMatchObject([{ status: "open", kind: "referral" }])
    const one = `/v1/management/requests/${data[0]?.uid}`
    expect((await world.api("GET", one)).body.form.answers).toEqual({ what: SECRET })
    const [patient] = (await world.api("GET", "/v1/management/patients")).body.data
    expect(patient).toMatchObject({ uid: data[0]?.patient_uid, profile: { email, date_of_birth: "1980-05-04" } })
    expect((await world.api("POST", `${one}/answer`, { text: "Liegt bereit." })).status).toBe(200)
    const [link] = await arrived(async () =>
      (await mailsTo(server.current, email)).flatMap(
        ({ text = "" }) => /https?:\/\/\S+\/request\/\S+/.exec(text)?.[0] ?? []
      )
    )
    await page.goto(link ?? "")
    await page.getByText("Liegt bereit.").waitFor()
    await examine()
    expect(complaints).toEqual([])
  })
})
