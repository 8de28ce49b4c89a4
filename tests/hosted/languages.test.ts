/** The language of pages and messages. Rules 5.5.8, 6.7.6. */
import { describe, expect, test } from "bun:test"
import { pageTextsOf as publicBookingTexts } from "../../src/capabilities/public-booking/texts/page.ts"
import { askedConsent } from "../../src/http/hosted/consentTexts.ts"
import { clockTime, tileDay } from "../../src/pages/time.ts"
import { shortTime } from "../../src/services/notifications/times.ts"
import { catalogue } from "../../src/texts/catalogue.ts"
import { fill, plural } from "../../src/texts/fill.ts"
import { languageOfProfile, languages } from "../../src/texts/language.ts"
import { allNoticeTexts } from "../../src/texts/notices.ts"
import { pageLink } from "../support/codes.ts"
import { testServer } from "../support/server.ts"
import { inDays, makeWorld } from "../support/world.ts"
import { offered, recalled } from "./mailed.ts"

const server = testServer()

const pageIn = async (query: string, acceptLanguage = "") => {
  const { text } = await server.current.api("GET", `/meet/booking/unknown${query}`, {
    headers: { accept: "text/html", "accept-language": acceptLanguage }
  })
  const [, lang, dir] = /<html lang="([^"]+)" dir="([^"]+)"/.exec(text) ?? []
  return { lang, dir, title: /<title>([^<]+)/.exec(text)?.[1] }
}

describe("a page", () => {
  test.each([...languages])("is in the language of its link, with its text direction: %s", async (language) => {
    expect(await pageIn(`?lang=${language}`, "de")).toEqual({
      lang: language,
      dir: language === "ar" ? "rtl" : "ltr",
      title: catalogue[language].page.notFound.title
    })
  })

  test.each([
    ["uk-UA,uk;q=0.9,en;q=0.5", "uk"],
    ["fr,ar-EG;q=0.5", "ar"],
    ["en-US,en;q=0.9", "en-US"],
    ["en-AU", "en"],
    ["TR_tr", "tr"],
    ["en;q=0, fr", "de"]
  ])("is in the preferred language of Accept-Language: %s", async (header, language) => {
    expect((await pageIn("", header)).lang).toBe(language)
  })

  test("links to itself in every language, each under its own name", async () => {
    const { text } = await server.current.api("GET", "/meet/booking/unknown", { headers: { accept: "text/html" } })
    const names = [...text.matchAll(/<a href="[^"]*lang=[^"]*"[^>]*>([^<]+)</g)].map(([, name]) => name)
    expect(names).toEqual(["Deutsch", "English", "American English", "Türkçe", "العربية", "Українська", "Русский"])
  })
})

test("messages use the profile's language; English where it has no translation, German without a language", () => {
  expect(["ru-RU", "en-us", "pl", null].map(languageOfProfile)).toEqual(["ru", "en-US", "en", "de"])
})

test("dates and times follow each language's format, in Latin digits", () => {
  const noon = Date.UTC(2026, 10, 23, 14, 5) / 1000
  const written = languages.map((language) => [clockTime(language, "UTC", noon), ...tileDay(language, "UTC", noon)])
  expect(written).toEqual([
    ["14:05", "Mo", "23. Nov."],
    ["14:05", "Mon", "23 Nov"],
    ["2:05 PM", "Mon", "Nov 23"],
    ["14:05", "Pzt", "23 Kas"],
    ["14:05", "الاثنين", "23 نوفمبر"],
    ["14:05", "пн", "23 лист."],
    ["14:05", "пн", "23 нояб."]
  ])
  expect(shortTime({ language: "en-US", timezone: "America/New_York" }, noon)).toBe(
    "Nov 23, 2026, 9:05 AM (New York time)"
  )
})

test("plural forms follow the language", () => {
  const free = (language: "ru" | "ar", count: number) => plural(language, catalogue[language].booking.freeTimes, count)
  expect([1, 3, 5, 21].map((count) => free("ru", count))).toEqual([
    "1 свободное место",
    "3 свободных места",
    "5 свободных мест",
    "21 свободное место"
  ])
  expect([1, 2, 3, 11, 100].map((count) => free("ar", count))).toEqual([
    "وقت متاح واحد",
    "وقتان متاحان",
    "3 أوقات متاحة",
    "11 وقتًا متاحًا",
    "100 وقت متاح"
  ])
})

test("names in other scripts keep their direction in Arabic, addresses are left alone", () => {
  const { with: withDoctor, manage } = catalogue.ar.booking
  expect(fill(withDoctor, { doctor: "Dr. A." })).toBe("مع \u2068Dr. A.\u2069")
  expect(fill(manage.calendar, { url: "https://a.example/b" })).toEndWith(": https://a.example/b")
  expect(fill(catalogue.tr.booking.with, { doctor: "Dr. A." })).toBe("Dr. A. ile")
})

test("a consent's text is the best match for the reader's language", () => {
  const texts = [
    { language: "de-DE", text: "Ja" },
    { language: "en", text: "Yes" }
  ]
  const shown = (language: (typeof languages)[number]) =>
    askedConsent(language, { purpose: "video", version: "1", required: true, texts }).text
  expect([shown("de"), shown("en-US"), shown("ar")]).toEqual(["Ja", "Yes", "Ja"])
})

test("a mail's first sentence has a capital letter, but where the greeting ends in a comma in German", () => {
  for (const language of languages.filter((one) => one !== "de" && one !== "ar")) {
    const { again } = catalogue[language].messages
    const { mail } = publicBookingTexts(language)
    const notices = Object.values(allNoticeTexts(language)).map(({ opening }) => opening)
    for (const opening of [...notices, mail.opening, again.opening]) expect(opening).toMatch(/^[\p{Lu}{]/u)
  }
})

test("a type's name and texts are in the page's language, as far as they are translated; Rule 7.3.4", async () => {
  const translations = [
    { language: "tr", name: "Muayene", preparation: "Lütfen aç gelin" },
    { language: "en", name: "Check-up" }
  ]
  const world = await makeWorld(server.current, {
    doctors: 1,
    organisation: { public_booking: true },
    type: { waitlist: true, preparation: "Bitte nüchtern kommen", price: "Kassenleistung", translations }
  })
  const { page, entry } = await offered(server.current, world)
  const launch = await world.session("p", { from: inDays(1), to: inDays(2) })
  const waitlist = `/meet/booking/${await world.session("q")}/waitlist`
  await server.current.api("POST", waitlist, { body: new URLSearchParams({ action: "ask" }) })
  const linkOf = async (uid: string) => new URL(await pageLink(server.current, uid, "join")).pathname
  const booked = await linkOf(await world.booked(inDays(1, 9)))
  const recall = await recalled(server.current, world, await world.patient())
  const { body } = await world.api("POST", "/v1/management/scheduling/appointment-series", {
    shop_uid: world.shop_uid,
    patient_uid: await world.patient(),
    appointment_type_uid: world.type_uid,
    doctor_uid: world.doctor,
    start_date: inDays(3, 9),
    count: 2,
    interval_weeks: 1
  })
  const series = await linkOf(body.appointments[0].uid)
  const read = async (page: string, language: string) =>
    (await server.current.api("GET", `${page}?lang=${language}`)).text
  // not as the beginning of another word
  const names = [/Muayene(?!\p{L})/u, /Check-up/, /Consultation/]
  const booking = `/meet/booking/${launch}`
  for (const one of [page, entry, waitlist, recall, series, booking, booked, `/meet/book/${world.shop_identifier}`]) {
    const texts = await Promise.all(["tr", "en-US", "uk"].map((language) => read(one, language)))
    const found = texts.map((text) => names.map((name) => name.test(text)))
    expect([one, ...found]).toEqual([one, [true, false, false], [false, true, false], [false, false, true]])
  }
  const turkish = await read(booked, "tr")
  const texts = ["Lütfen aç gelin", "Kassenleistung", "nüchtern"]
  expect(texts.map((text) => turkish.includes(text))).toEqual([true, true, false])
})
