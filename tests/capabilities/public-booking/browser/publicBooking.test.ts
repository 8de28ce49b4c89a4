/** Booking without a partner: a form, a code by mail, and then a session like any other. Section 5.8. */
import { describe, expect, test } from "bun:test"
import { accessibilityFaults, scripting, testBrowser } from "../../../support/browser.ts"
import { mailTo } from "../../../support/codes.ts"
import { chooseLanguage } from "../../../support/examine.ts"
import { testServer } from "../../../support/server.ts"
import { makeWorld, random } from "../../../support/world.ts"

const server = testServer()
const browser = testBrowser()

const open = () => makeWorld(server.current, { organisation: { public_booking: true }, type: { price: "Kasse" } })
describe.each(scripting)("booking without a partner, %s,", (_, javaScriptEnabled) => {
  test("leads from the form through the code to a booked appointment for a child, in the chosen format", async () => {
    const world = await open()
    const email = `${random("eltern")}@example.org`
    const { page, complaints } = await browser.open(`${server.current.url}/book/${world.shop_identifier}`, {
      javaScriptEnabled
    })
    if (javaScriptEnabled) expect(await accessibilityFaults(page)).toEqual([])
    await page.getByLabel("Termin in der Praxis").check()
    if (javaScriptEnabled) {
      await chooseLanguage(page, "Türkçe")
      await page.getByRole("heading", { name: "Randevu al" }).waitFor()
      await chooseLanguage(page, "Deutsch")
      await page.getByRole("heading", { name: "Termin buchen" }).waitFor()
      expect(await page.getByLabel("Termin in der Praxis").isChecked()).toBe(true)
    }
    await page.getByRole("button", { name: "Freie Termine zeigen" }).click()
    await page.locator(".times button:visible").first().waitFor()
    if (javaScriptEnabled) expect(await accessibilityFaults(page)).toEqual([])
    await page.locator(".times button:visible").first().click()
    await page.getByLabel("Vorname").first().waitFor()
    if (javaScriptEnabled) expect(await accessibilityFaults(page)).toEqual([])
    await page.getByLabel("Vorname").first().fill("Eva")
    await page.getByLabel("Nachname").first().fill("Muster")
    await page.getByLabel("E-Mail").fill(email)
    await page.getByText("Es geht um mein Kind oder eine andere Person").click()
    await page.getByLabel("Vorname").last().fill("Kim")
    await page.getByLabel("Nachname").last().fill("Muster")
    await page.getByLabel("Geburtsdatum").last().fill("2020-05-04")
    await page.getByRole("button", { name: "Weiter" }).click()
    const code = /\d{6}/.exec((await mailTo(server.current, email))?.subject ?? "")?.[0] ?? ""
    expect(code).toHaveLength(6)
    await page.getByLabel("Code").fill(code === "000000" ? "000001" : "000000")
    await page.getByRole("button", { name: "Weiter" }).click()
    await page.getByText("Der Code stimmt nicht.").waitFor()
    if (javaScriptEnabled) expect(await accessibilityFaults(page)).toEqual([])
    let sent = 0
    page.on("request", (request) => {
      if (request.method() === "POST") sent++
    })
    await page.reload()
    await page.goBack()
    await page.goBack()
    await page.getByRole("heading", { name: "Termin buchen" }).waitFor()
    if (javaScriptEnabled) expect(await page.getByLabel("Vorname").first().inputValue()).toBe("Eva")
    await page.goForward()
    await page.goForward()
    await page.getByLabel("Code").waitFor()
    expect(sent).toBe(0)
    await page.getByLabel("Code").fill(code)
    await page.getByRole("button", { name: "Weiter" }).click()
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
