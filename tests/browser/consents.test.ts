/** Consent on the pages: requested before a booking, stored with version and language, withdrawn by any link. Section 12.5. */
import { describe, expect, test } from "bun:test"
import { accessibilityFaults, scripting, testBrowser } from "../support/browser.ts"
import { pageLink } from "../support/codes.ts"
import { testServer } from "../support/server.ts"
import { inDays, makeWorld } from "../support/world.ts"

const server = testServer()
const browser = testBrowser()

const consent = (version: string, required: boolean) => [
  { purpose: "video", version, required, texts: [{ language: "de", text: `Ja zum Video (${version})` }] }
]

describe.each(scripting)("a practice that requires consent, %s,", (_, javaScriptEnabled) => {
  test("books only once it is given, keeps typed text until then, and lets it be withdrawn", async () => {
    const world = await makeWorld(server.current, { organisation: { consent: consent("1", true) } })
    const consents = async () => {
      const patients = await world.api("GET", "/v1/management/patients")
      const uid = patients.body.data[0].uid
      return (await world.api("GET", `/v1/management/patients/${uid}/consents`)).body.data
    }
    const code = await world.session("p", { from: inDays(1), to: inDays(2) })
    const held = await world.hold(code, inDays(1, 10))
    const { page } = await browser.open(`${server.current.url}/meet/booking/${code}`, { javaScriptEnabled })
    await page.getByLabel("Worum geht es?").fill("Husten")
    if (javaScriptEnabled) expect(await accessibilityFaults(page)).toEqual([])
    // a browser would not send the form, but other clients may
    await server.current.api("POST", `/meet/booking/${code}/confirm`, {
      body: new URLSearchParams({ hold_uid: held.body.hold_uid, visit_reason: "Husten" })
    })
    expect(await consents()).toEqual([])
    await page.getByRole("checkbox", { name: "Ja zum Video (1)" }).check()
    await page.getByRole("button", { name: "Termin verbindlich buchen" }).click()
    await page.getByRole("heading", { name: "Ihr Termin steht" }).waitFor()
    expect(await consents()).toMatchObject([{ purpose: "video", version: "1", language: "de", withdrawn_at: null }])
    const list = await world.api("GET", "/v1/management/scheduling/appointments")
    expect(list.body.data[0].visit_reason).toBe("Husten")
    await page.goto(await pageLink(server.current, list.body.data[0].uid, "join"))
    await page.locator("summary", { hasText: "Einwilligungen" }).click()
    // the page of the response shows them unfolded
    const press = (name: string) => Promise.all([page.waitForNavigation(), page.getByRole("button", { name }).click()])
    await press("Einwilligung widerrufen")
    await page.getByText("Ihre Einwilligungen sind gespeichert.").waitFor()
    await page.getByRole("button", { name: "Einwilligen" }).waitFor()
    expect((await consents())[0].withdrawn_at).toBeNumber()
    await press("Einwilligen")
    await page.getByRole("button", { name: "Einwilligung widerrufen" }).waitFor()
  })
})

test("without the required consent the form comes back with what was typed; 'another time' needs none", async () => {
  const world = await makeWorld(server.current, { organisation: { consent: consent("1", true) } })
  const code = await world.session("p", { from: inDays(1), to: inDays(2) })
  const held = await world.hold(code, inDays(1, 10))
  const post = (fields: Record<string, string>) =>
    server.current.api("POST", `/meet/booking/${code}/confirm`, {
      body: new URLSearchParams({ hold_uid: held.body.hold_uid, visit_reason: "Husten", ...fields })
    })
  for (const fields of [{}, { consent: "video:0" }]) {
    const back = await post(fields)
    expect(back.status).toBe(303)
    const { body } = await server.current.api("GET", back.headers.get("location") ?? "")
    expect(body).toContain("Bitte stimmen Sie noch zu")
    expect(body).toContain(">Husten</textarea>")
  }
  const other = (await post({ step: "times", consent: "video:1" })).headers.get("location") ?? ""
  expect((await server.current.api("GET", other)).body).toContain("Wann passt es Ihnen?")
  // the tick comes along, without JavaScript too
  const again = await server.current.api(
    "GET",
    `/meet/booking/${code}?${other.split("?")[1]?.replace("step=times", "")}`
  )
  expect(again.body).toMatch(/value="video:1"[^>]*checked/)
})

test("voluntary consents may be left out", async () => {
  const world = await makeWorld(server.current, { organisation: { consent: consent("1", false) } })
  const code = await world.session("p", { from: inDays(1), to: inDays(2) })
  const { body } = await world.hold(code, inDays(1, 10))
  const address = `/meet/booking/${code}`
  const box = /<input[^>]*value="video:1"[^>]*>/.exec((await server.current.api("GET", address)).text)?.[0]
  expect(box).toBeDefined()
  expect(box).not.toContain("required")
  await server.current.api("POST", `${address}/confirm`, { body: new URLSearchParams({ hold_uid: body.hold_uid }) })
  expect((await server.current.api("GET", address)).text).toContain("Ihr Termin steht")
})

test("ticks and completed profile fields survive a reload, too many requests and another time", async () => {
  const world = await makeWorld(server.current, { organisation: { consent: consent("1", true) } })
  const code = await world.session("p", { from: inDays(1), to: inDays(2) })
  await world.hold(code, inDays(1, 10))
  await server.current.query(
    "UPDATE booking_sessions SET ignored_profile_fields = ARRAY['phone', 'gender'] WHERE organisation_uid = $1",
    [world.organisation_uid]
  )
  const address = `${server.current.url}/meet/booking/${code}`
  const { page } = await browser.open(address)
  const box = page.getByRole("checkbox", { name: "Ja zum Video (1)" })
  const completed = async () =>
    expect([await page.getByLabel("Telefon").inputValue(), await page.getByLabel("Geschlecht").inputValue()]).toEqual([
      "+49 30 123456",
      "divers"
    ])
  expect(await box.isChecked()).toBe(false)
  await box.check()
  await page.getByLabel("Telefon").fill("+49 30 123456")
  await page.getByLabel("Geschlecht").selectOption("divers")
  await page.reload()
  expect(await box.isChecked()).toBe(true)
  await completed()
  // where a form leads that came too soon
  await page.goto(`${address}?notice=busy`)
  await page.getByText("Aus Ihrem Netz kamen gerade sehr viele Anfragen.").waitFor()
  expect(await box.isChecked()).toBe(true)
  await page.getByRole("button", { name: "Anderen Termin wählen" }).click()
  await page.locator(".times button:visible").last().click()
  await page.getByRole("heading", { name: "Noch ein Schritt" }).waitFor()
  expect(await box.isChecked()).toBe(true)
  // stored with the press, and not asked for again
  expect(await page.getByLabel("Telefon").count()).toBe(0)
})
