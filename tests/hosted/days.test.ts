import { describe, expect, test } from "bun:test"
import { countdown } from "../../src/pages/countdown.ts"
import { DAYS_ON_A_PAGE, dayPage } from "../../src/pages/days.ts"
import { clockTime, dateIn } from "../../src/pages/time.ts"
import { negotiateLanguage } from "../../src/texts/language.ts"

const at = (iso: string) => Date.parse(iso) / 1000
const slot = (iso: string, doctor = "doc_a") => ({
  doctor_uid: doctor,
  doctor_name: doctor === "doc_a" ? "Anna" : "Bert",
  start_date: at(iso),
  end_date: at(iso) + 1200
})

describe("free times under days", () => {
  test("a time near midnight stands under the date it has in the zone shown", () => {
    const late = [slot("2026-11-23T22:30:00Z"), slot("2026-11-23T23:30:00Z")]
    expect(dayPage(late, "Europe/Berlin", undefined).days.map((day) => day.date)).toEqual(["2026-11-23", "2026-11-24"])
    expect(dayPage(late, "America/New_York", undefined).days.map((day) => [day.date, day.count])).toEqual([
      ["2026-11-23", 2]
    ])
  })

  test("within a day, each doctor's times stand together", () => {
    const page = dayPage(
      [
        slot("2026-11-23T08:00:00Z", "doc_a"),
        slot("2026-11-23T08:00:00Z", "doc_b"),
        slot("2026-11-23T09:00:00Z", "doc_b")
      ],
      "Europe/Berlin",
      undefined
    )
    expect(page.days[0]?.doctors.map((own) => [own.doctor_name, own.slots.length])).toEqual([
      ["Anna", 1],
      ["Bert", 2]
    ])
  })

  test("pages join without a gap or an overlap, forwards and back", () => {
    const slots = Array.from({ length: 12 }, (_, day) => slot(`2026-11-${String(10 + day)}T10:00:00Z`))
    const first = dayPage(slots, "Europe/Berlin", undefined)
    expect(first.earlier).toBeNull()
    const second = dayPage(slots, "Europe/Berlin", first.later ?? "")
    const third = dayPage(slots, "Europe/Berlin", second.later ?? "")
    expect(third.later).toBeNull()
    expect([first, second, third].flatMap((page) => page.days.map((day) => day.date))).toEqual(
      slots.map((one) => dateIn("Europe/Berlin", one.start_date))
    )
    expect(dayPage(slots, "Europe/Berlin", second.earlier ?? "").days).toEqual(first.days)
    expect(first.days).toHaveLength(DAYS_ON_A_PAGE)
  })

  test("every slot stands under its own date, across a month and the end of summer time", () => {
    const slots = Array.from({ length: 31 * 72 }, (_, n) => {
      const start_date = at("2026-10-10T00:00:00Z") + n * 1200
      return { doctor_uid: "doc_a", doctor_name: "Anna", start_date, end_date: start_date + 1200 }
    })
    const shown: Array<string> = []
    for (let from: string | undefined = ""; from !== undefined; ) {
      const page = dayPage(slots, "Europe/Berlin", from)
      for (const day of page.days)
        for (const one of day.doctors.flatMap((doctor) => doctor.slots)) {
          expect(dateIn("Europe/Berlin", one.start_date)).toBe(day.date)
          shown.push(String(one.start_date))
        }
      from = page.later ?? undefined
    }
    expect(shown).toEqual(slots.map((one) => String(one.start_date)))
  })

  test("a date after the last free one shows the last page, no times show none", () => {
    expect(dayPage([slot("2026-11-23T10:00:00Z")], "Europe/Berlin", "2027-01-01").days).toHaveLength(1)
    expect(dayPage([], "Europe/Berlin", "nonsense")).toEqual({ days: [], earlier: null, later: null })
  })
})

describe("what a page says", () => {
  test("the language asked for wins, then the browser's best, then German", () => {
    expect(negotiateLanguage({ chosen: "en", acceptLanguage: "de" })).toBe("en")
    expect(negotiateLanguage({ chosen: "fr", acceptLanguage: "fr;q=1, en;q=0.5, de;q=0.4" })).toBe("en")
    expect(negotiateLanguage({ acceptLanguage: "de-AT,de;q=0.9,en;q=0.8" })).toBe("de")
    expect(negotiateLanguage({ acceptLanguage: "en;q=0, fr" })).toBe("de")
    expect(negotiateLanguage({})).toBe("de")
  })

  test("clock times are of the zone, also on the day it changes", () => {
    expect(clockTime("de", "Europe/Berlin", at("2026-03-29T00:30:00Z"))).toBe("01:30")
    expect(clockTime("en", "Europe/Berlin", at("2026-03-29T01:30:00Z"))).toBe("03:30")
    expect(clockTime("en", "Europe/Berlin", at("2026-03-28T23:00:00Z"))).toBe("00:00")
  })

  test("countdowns never go below zero", () => {
    expect([countdown(61), countdown(9), countdown(-3)]).toEqual(["1:01", "0:09", "0:00"])
  })
})
