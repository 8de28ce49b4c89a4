/** A practice's settings in the console: limits, mails, consents, periods, administrators and shops. Rules 17.2.1 and 17.2.7. */
import { expect, test } from "bun:test"
import { signedIn } from "../support/console.ts"
import { testServer } from "../support/server.ts"
import { dayOf, inDays, makeWorld, random } from "../support/world.ts"

const server = testServer()
const ORGANISATION = "PATCH /v1/management/organisation"

const enter = async (options = {}) => {
  const world = await makeWorld(server.current, options)
  const browser = await signedIn(server.current, ["admin", world.organisation_uid, world.organisation_uid])
  const send = async (...form: Parameters<typeof browser.send>) => (await browser.send(...form)).status
  const organisation = async () => (await world.api("GET", "/v1/management/organisation")).body
  return { world, browser, send, organisation }
}

test("limits, mails and periods each have a form; Rule 17.2.1", async () => {
  const { send, organisation } = await enter()
  expect(await send(ORGANISATION, [["patient_live_holds_max", "4"]])).toBe(303)
  const mails = [
    ["messages", ""],
    ["messages", "confirmation"],
    ["messages", "rebooking"]
  ] as const
  expect(await send(ORGANISATION, mails)).toBe(303)
  expect(await send(ORGANISATION, [["retention.messages", "30"]])).toBe(303)
  expect(await organisation()).toMatchObject({
    patient_live_holds_max: 4,
    messages: ["confirmation", "rebooking"],
    retention: { messages: 30, records: 3653 }
  })
  expect(await send(ORGANISATION, [["messages", ""]])).toBe(303)
  expect((await organisation()).messages).toEqual([])
  expect(await send(ORGANISATION, [["retention.records", "30"]])).toBe(400)
})

test("a type is translated, and a translation changed and removed; Rule 7.3.4", async () => {
  const { world, browser, send } = await enter()
  const path = `/v1/management/scheduling/appointment-types/${world.type_uid}`
  const page = async () => (await browser.open(`/console/practice/types?type=${world.type_uid}`)).text
  const stored = async () => {
    const { body } = await world.api("GET", "/v1/management/scheduling/appointment-types")
    return body.data[0].translations
  }
  expect(await page()).toContain('data-empty="translations"')
  const turkish = [
    ["translations.0.language", "tr"],
    ["translations.0.name", "Muayene"],
    ["translations.0.description", ""],
    ["translations.0.price", "Ücretsiz"]
  ] as const
  expect(await send(`PATCH ${path}`, turkish)).toBe(303)
  const none = { description: null, preparation: null, cancellation_rule: null }
  expect(await stored()).toEqual([{ language: "tr", name: "Muayene", ...none, price: "Ücretsiz" }])
  const html = await page()
  expect(html).toContain('name="translations.0.name" value="Muayene"')
  // the form for another language keeps those that are there
  expect(html).toMatch(/type="hidden" name="translations.0.price" value="Ücretsiz"/)
  const arabic = [...turkish, ["translations.1.language", "ar"], ["translations.1.name", "فحص"]] as const
  expect(await send(`PATCH ${path}`, arabic)).toBe(303)
  expect(await stored()).toMatchObject([{ language: "tr" }, { language: "ar", name: "فحص", price: null }])
  expect(await send(`PATCH ${path}`, [["translations", ""]])).toBe(303)
  expect(await stored()).toEqual([])
})

test("a consent in several languages and a second one are added and removed; Rule 17.2.1", async () => {
  const { browser, send, organisation } = await enter()
  const video = [
    ["consent.0.purpose", "video"],
    ["consent.0.version", "2026-01"],
    ["consent.0.required", "false"],
    ["consent.0.texts.0.language", "de"],
    ["consent.0.texts.0.text", "Ich stimme zu"],
    ["consent.0.texts.1.language", "en"],
    ["consent.0.texts.1.text", "I agree"],
    ["consent.0.texts.2.language", ""],
    ["consent.0.texts.2.text", ""]
  ] as const
  expect(await send(ORGANISATION, video)).toBe(303)
  const first = {
    purpose: "video",
    version: "2026-01",
    required: false,
    texts: [
      { language: "de", text: "Ich stimme zu" },
      { language: "en", text: "I agree" }
    ]
  }
  expect((await organisation()).consent).toEqual([first])
  // the form of the second purpose includes the first
  const { text } = await browser.ask("/console/practice/settings")
  expect(text).toContain('name="consent.0.texts.1.text" value="I agree"')
  const other = [
    ["consent.1.purpose", "data_processing"],
    ["consent.1.version", "1"],
    ["consent.1.required", "true"],
    ["consent.1.texts.0.language", "de"],
    ["consent.1.texts.0.text", "Ja"]
  ] as const
  expect(await send(ORGANISATION, [...video, ...other])).toBe(303)
  const purposes = (await organisation()).consent.map(({ purpose }: { purpose: string }) => purpose)
  expect(purposes.toSorted()).toEqual(["data_processing", "video"])
  expect(await send(ORGANISATION, [["consent", ""]])).toBe(303)
  expect((await organisation()).consent).toEqual([])
})

test("an administrator and a shop, with the embedded checkout or Shopify's, are added; Rule 17.2.1", async () => {
  const { world, send, organisation } = await enter()
  const uid = random("adm")
  const person = [
    ["admins.0.uid", uid],
    ["admins.0.display_name", "Empfang"],
    ["admins.0.email", "empfang@example.org"],
    ["admins.0.phone", ""]
  ] as const
  expect(await send(ORGANISATION, person)).toBe(303)
  expect((await organisation()).admins).toEqual([
    { uid, display_name: "Empfang", email: "empfang@example.org", phone: null }
  ])
  const identifier = random("shop")
  const made = [
    ["name", "Laden"],
    ["shop_identifier", identifier]
  ] as const
  expect(await send("POST /v1/management/shops", made)).toBe(303)
  const shops = async () => (await world.api("GET", "/v1/management/shops")).body.data
  const shop = (await shops()).find((one: { shop_identifier: string }) => one.shop_identifier === identifier)
  expect(shop).toMatchObject({ name: "Laden", storefront: { kind: "embedded" } })
  const shopify = [
    ["storefront.kind", "shopify"],
    ["storefront.shop_domain", "example.myshopify.com"],
    ["storefront.admin_access_token", "a"],
    ["storefront.storefront_access_token", "b"],
    ["storefront.webhook_secret", "c"]
  ] as const
  expect(await send(`PATCH /v1/management/shops/${shop?.uid}`, shopify)).toBe(303)
  const changed = (await shops()).find((one) => one.uid === shop?.uid)
  expect(changed?.storefront).toEqual({ kind: "shopify", shop_domain: "example.myshopify.com" })
})

test("an absence is previewed with the new times, and its appointments are moved whatever patients may do themselves; Rules 4.8.5 and 7.2.8", async () => {
  const type = { rebooking_mode: "same_doctor_only", allow_patient_rebooking: false }
  const { world, browser, send } = await enter({ doctors: 1, type })
  const uid = await world.booked(inDays(2, 12))
  const day = dayOf(inDays(2, 12))
  const { text } = await browser.ask(`/console/practice/absences?from=${day}&until=${day}`)
  expect(text).toContain("→ ")
  // An absence lasts a year at most
  const twoYears = await browser.ask(`/console/practice/absences?from=${day}&until=${dayOf(inDays(800))}`)
  expect([twoYears.status, twoYears.text.includes("What should happen?")]).toEqual([200, false])
  const range = [
    ["from", String(inDays(2))],
    ["to", String(inDays(3))]
  ] as const
  expect(await send("POST /v1/management/scheduling/appointments/bulk-move", range)).toBe(303)
  const one = async (name: string) => (await world.api("GET", `/v1/management/scheduling/appointments/${name}`)).body
  expect((await one(uid)).status).toBe("cancelled")
  const list = await world.api("GET", "/v1/management/scheduling/appointments")
  expect(list.body.data).toMatchObject([{ previous_meeting_uid: uid, start_date: inDays(3) }])
})

test("an administrator may exceed a patient's booking limit; Rule 4.6.3", async () => {
  const { world, send } = await enter({ doctors: 1, organisation: { patient_future_appointments_max: 1 } })
  const uid = await world.booked(inDays(2, 9))
  const { body } = await world.api("GET", `/v1/management/scheduling/appointments/${uid}`)
  const booking = [
    ["shop_uid", world.shop_uid],
    ["patient_uid", body.patient_uid],
    ["appointment_type_uid", world.type_uid],
    ["@slot", `${inDays(3, 9)}.${world.doctor}`]
  ] as const
  expect(await send("POST /v1/management/scheduling/appointments", booking)).toBe(303)
})

test("the statistics' form shows the displayed range; Rule 7.8.1", async () => {
  const { browser } = await enter({ doctors: 1 })
  const valueOf = (html: string, name: string) =>
    new RegExp(`<input[^>]*name="${name}"[^>]*value="([^"]*)"`).exec(html)?.[1]
  const { text: first } = await browser.ask("/console/practice/statistics")
  expect(valueOf(first, "from")).toMatch(/^\d{4}-\d\d-\d\d$/)
  expect(valueOf(first, "until")).toMatch(/^\d{4}-\d\d-\d\d$/)
  const { text } = await browser.ask("/console/practice/statistics?from=2035-01-08&until=2035-01-14")
  expect([valueOf(text, "from"), valueOf(text, "until")]).toEqual(["2035-01-08", "2035-01-14"])
  expect(text).toContain('data-live="/console/practice/live?')
})
