/** The language of pages and messages. Rules 5.5.8, 6.7.6. */
import { describe, expect, test } from "bun:test"
import { askedConsent } from "../../src/http/hosted/consentTexts.ts"
import { clockTime, tileDay } from "../../src/pages/time.ts"
import { shortTime } from "../../src/services/notifications/times.ts"
import { catalogue } from "../../src/texts/catalogue.ts"
import { fill, plural } from "../../src/texts/fill.ts"
import { languageOfProfile, languages } from "../../src/texts/language.ts"
import { pageLink } from "../support/codes.ts"
import { testServer } from "../support/server.ts"
import { inDays, makeWorld } from "../support/world.ts"

const server = testServer()

const pageIn = async (query: string, acceptLanguage = "") => {
  const { body } = await server.current.api("GET", `/meet/booking/unknown${query}`, {
    headers: { accept: "text/html", "accept-language": acceptLanguage }
  })
  const [, lang, dir] = /<html lang="([^"]+)" dir="([^"]+)"/.exec(body) ?? []
  return { lang, dir, title: /<title>([^<]+)/.exec(body)?.[1] }
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
    ["fr", "de"]
  ])("is in the preferred language of Accept-Language: %s", async (header, language) => {
    expect((await pageIn("", header)).lang).toBe(language)
  })

  test("links to itself in every language, each under its own name", async () => {
    const { body } = await server.current.api("GET", "/meet/booking/unknown", { headers: { accept: "text/html" } })
    const names = [...body.matchAll(/<a href="[^"]*lang=[^"]*"[^>]*>([^<]+)</g)].map(([, name]) => name)
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

test("a type's name and texts are in the page's language, as far as they are translated; Rule 7.3.4", async () => {
  const world = await makeWorld(server.current, {
    organisation: { public_booking: true },
    type: {
      preparation: "Bitte nüchtern kommen",
      price: "Kassenleistung",
      translations: [
        { language: "tr", name: "Muayene", preparation: "Lütfen aç gelin" },
        { language: "en", name: "Check-up" }
      ]
    }
  })
  const launch = await world.session("p", { from: inDays(1), to: inDays(2) })
  const uid = await world.booked(inDays(1, 9))
  const [appointment, code] = (await pageLink(server.current, uid, "join")).split("/").slice(-2)
  const { body } = await world.api("GET", "/v1/management/shops")
  const pages = [`booking/${launch}`, `${appointment}/${code}`, `book/${body.data[0].shop_identifier}`]
  const read = async (page: string, language: string) => {
    const answer = await server.current.api("GET", `/meet/${page}?lang=${language}`, {
      headers: { accept: "text/html" }
    })
    expect([page, answer.status]).toEqual([page, 200])
    return String(answer.body)
  }
  for (const page of pages) {
    expect(await read(page, "tr")).toContain("Muayene")
    expect(await read(page, "en-US")).toContain("Check-up")
    const other = await read(page, "uk")
    expect(other).toContain("Consultation")
    expect(other).not.toMatch(/Muayene|Check-up/)
  }
  const turkish = await read(`${appointment}/${code}`, "tr")
  expect(turkish).toContain("Lütfen aç gelin")
  expect(turkish).toContain("Kassenleistung")
  expect(turkish).not.toContain("nüchtern")
})
