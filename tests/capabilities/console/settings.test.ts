/** A practice's settings in the console: limits, mails, consents, periods, administrators and shops. Rules 17.2.1 and 17.2.7. */
import { expect, test } from "bun:test"
import { asAdmin } from "../../support/console.ts"
import { stored } from "../../support/records.ts"
import { testServer } from "../../support/server.ts"
import { dayOf, inDays, makeWorld, random, type WorldOptions } from "../../support/world.ts"

const server = testServer()
const ORGANISATION = "PATCH /v1/management/organisation"

const enter = async (options: WorldOptions = {}) => {
  const world = await makeWorld(server.current, options)
  const browser = await asAdmin(server.current, world)
  const send = async (...form: Parameters<typeof browser.send>) => (await browser.send(...form)).status
  const organisation = async () => (await world.api("GET", "/v1/management/organisation")).body
  return { world, browser, send, organisation }
}

test("limits, mails and periods each have a form; Rule 17.2.1", async () => {
  const { send, organisation } = await enter()
  expect(await send(ORGANISATION, { patient_live_holds_max: "4" })).toBe(303)
  const mails = ["", "confirmation", "rebooking"].map((kind) => ["messages", kind] as const)
  expect(await send(ORGANISATION, mails)).toBe(303)
  expect(await send(ORGANISATION, { "retention.messages": "30" })).toBe(303)
  expect(await organisation()).toMatchObject({
    patient_live_holds_max: 4,
    messages: ["confirmation", "rebooking"],
    retention: { messages: 30, records: 3653 }
  })
  expect(await send(ORGANISATION, { messages: "" })).toBe(303)
  expect((await organisation()).messages).toEqual([])
  expect(await send(ORGANISATION, { "retention.records": "30" })).toBe(400)
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
  const named = { "translations.0.language": "tr", "translations.0.name": "Muayene" }
  const turkish = { ...named, "translations.0.description": "", "translations.0.price": "Ücretsiz" }
  expect(await send(`PATCH ${path}`, turkish)).toBe(303)
  const none = { description: null, preparation: null, cancellation_rule: null }
  expect(await stored()).toEqual([{ language: "tr", name: "Muayene", ...none, price: "Ücretsiz" }])
  const html = await page()
  expect(html).toContain('name="translations.0.name" value="Muayene"')
  // the form for another language keeps those that are there
  expect(html).toMatch(/type="hidden" name="translations.0.price" value="Ücretsiz"/)
  const arabic = { ...turkish, "translations.1.language": "ar", "translations.1.name": "فحص" }
  expect(await send(`PATCH ${path}`, arabic)).toBe(303)
  expect(await stored()).toMatchObject([{ language: "tr" }, { language: "ar", name: "فحص", price: null }])
  expect(await send(`PATCH ${path}`, { translations: "" })).toBe(303)
  expect(await stored()).toEqual([])
})

test("a consent in several languages and a second one are added and removed; Rule 17.2.1", async () => {
  const { browser, send, organisation } = await enter()
  /** The form's fields of a consent, of which the last text is empty. */
  const fieldsOf = (index: number, purpose: string, ...texts: ReadonlyArray<readonly [string, string]>) =>
    Object.fromEntries([
      [`consent.${index}.purpose`, purpose],
      [`consent.${index}.version`, "2026-01"],
      [`consent.${index}.required`, "false"],
      ...[...texts, ["", ""]].flatMap(([language = "", text = ""], at) => [
        [`consent.${index}.texts.${at}.language`, language],
        [`consent.${index}.texts.${at}.text`, text]
      ])
    ])
  const video = fieldsOf(0, "video", ["de", "Ich stimme zu"], ["en", "I agree"])
  expect(await send(ORGANISATION, video)).toBe(303)
  const [german, english] = [
    { language: "de", text: "Ich stimme zu" },
    { language: "en", text: "I agree" }
  ]
  const first = { purpose: "video", version: "2026-01", required: false, texts: [german, english] }
  expect((await organisation()).consent).toEqual([first])
  // the form of the second purpose includes the first
  const { text } = await browser.ask("/console/practice/settings")
  expect(text).toContain('name="consent.0.texts.1.text" value="I agree"')
  expect(await send(ORGANISATION, { ...video, ...fieldsOf(1, "data_processing", ["de", "Ich stimme zu"]) })).toBe(303)
  const second = { ...first, purpose: "data_processing", texts: [german] }
  expect(new Set((await organisation()).consent)).toEqual(new Set([first, second]))
  expect(await send(ORGANISATION, { consent: "" })).toBe(303)
  expect((await organisation()).consent).toEqual([])
})

test("an administrator and a shop, with the embedded checkout or Shopify's, are added; Rule 17.2.1", async () => {
  const { world, send, organisation } = await enter()
  const uid = random("adm")
  const named = { "admins.0.uid": uid, "admins.0.display_name": "Empfang" }
  const person = { ...named, "admins.0.email": "empfang@example.org", "admins.0.phone": "" }
  expect(await send(ORGANISATION, person)).toBe(303)
  expect((await organisation()).admins).toEqual([
    { uid, display_name: "Empfang", email: "empfang@example.org", phone: null }
  ])
  const shop_identifier = random("shop")
  expect(await send("POST /v1/management/shops", { name: "Laden", shop_identifier })).toBe(303)
  const shop = async () =>
    (await world.api("GET", "/v1/management/shops")).body.data.find((one) => one.shop_identifier === shop_identifier)
  expect(await shop()).toMatchObject({ name: "Laden", storefront: { kind: "embedded" } })
  const shopify = {
    "storefront.kind": "shopify",
    "storefront.shop_domain": "example.myshopify.com",
    "storefront.admin_access_token": "a",
    "storefront.storefront_access_token": "b",
    "storefront.webhook_secret": "c"
  }
  expect(await send(`PATCH /v1/management/shops/${(await shop())?.uid}`, shopify)).toBe(303)
  expect((await shop())?.storefront).toEqual({ kind: "shopify", shop_domain: "example.myshopify.com" })
})

test("an absence is previewed with the new times, and its appointments are moved whatever patients may do themselves; Rules 4.8.5 and 7.2.8", async () => {
  const type = { rebooking_mode: "same_doctor_only", allow_patient_rebooking: false } as const
  const { world, browser, send } = await enter({ doctors: 1, type })
  const uid = await world.booked(inDays(2, 12))
  const day = dayOf(inDays(2, 12))
  const { text } = await browser.ask(`/console/practice/absences?from=${day}&until=${day}`)
  expect(text).toContain("→ ")
  // An absence lasts a year at most
  const twoYears = await browser.ask(`/console/practice/absences?from=${day}&until=${dayOf(inDays(800))}`)
  expect([twoYears.status, twoYears.text.includes("What should happen?")]).toEqual([200, false])
  const range = { from: String(inDays(2)), to: String(inDays(3)) }
  expect(await send("POST /v1/management/scheduling/appointments/bulk-move", range)).toBe(303)
  expect((await stored(server.current, uid)).status).toBe("cancelled")
  const list = await world.api("GET", "/v1/management/scheduling/appointments")
  expect(list.body.data).toMatchObject([{ previous_meeting_uid: uid, start_date: inDays(3) }])
})

test("an administrator may exceed a patient's booking limit; Rule 4.6.3", async () => {
  const { world, send } = await enter({ doctors: 1, organisation: { patient_future_appointments_max: 1 } })
  const { patient_uid } = await stored(server.current, await world.booked(inDays(2, 9)))
  const wanted = { shop_uid: world.shop_uid, patient_uid: String(patient_uid), appointment_type_uid: world.type_uid }
  const booking = { ...wanted, "@slot": `${inDays(3, 9)}.${world.doctor}` }
  expect(await send("POST /v1/management/scheduling/appointments", booking)).toBe(303)
})

test("the statistics' form shows the displayed range; Rule 7.8.1", async () => {
  const { browser } = await enter({ doctors: 1 })
  const shown = async (query: string) => {
    const { text } = await browser.ask(`/console/practice/statistics${query}`)
    expect(text).toContain('data-live="/console/practice/live?')
    return ["from", "until"].map((name) => new RegExp(`<input[^>]*name="${name}"[^>]*value="([^"]*)"`).exec(text)?.[1])
  }
  expect(await shown("")).toEqual(Array(2).fill(expect.stringMatching(/^\d{4}-\d\d-\d\d$/)))
  expect(await shown("?from=2035-01-08&until=2035-01-14")).toEqual(["2035-01-08", "2035-01-14"])
})

test("weeks, months and doctors have the same total, and no rows of zeros; Rule 7.8.1", async () => {
  const { world, browser } = await enter({ doctors: 2 })
  await world.booked(inDays(8, 9))
  await world.booked(inDays(8, 10), "other")
  const range = `from=${dayOf(inDays(1))}&until=${dayOf(inDays(40))}`
  const totals = async (query: string) => {
    const { text } = await browser.ask(`/console/practice/statistics?${range}${query}`)
    const rows = [...text.matchAll(/<tr><th scope="row">([^<]*)<\/th>(.*?)<\/tr>/gs)]
    const first = rows.map(([, name, cells = ""]) => [name, /<td class="number">(\d+)</.exec(cells)?.[1]] as const)
    return { totals: rows.filter(([, name]) => name === "Total").map(([, , cells]) => cells), first, text }
  }
  for (const by of ["", "&by=month"]) {
    const { totals: own, first, text } = await totals(by)
    expect(own).toHaveLength(2)
    expect(new Set(own).size).toBe(1)
    expect(first.filter(([name]) => name === "Total").map(([, booked]) => booked)).toEqual(["2", "2"])
    expect(text.includes("By month")).toBe(by !== "")
    // one week or one month, and the doctors, who all have hours
    expect(first.filter(([name]) => !/^(Total|Dr)/.test(name ?? "")).map(([, booked]) => booked)).toEqual(["2"])
  }
})
