import { describe, expect, test } from "bun:test"
import { countdown } from "../../src/pages/countdown.ts"
import { DATES_IN_A_STRIP, dayStrip, partOfDay } from "../../src/pages/days.ts"
import { clockTime, dateIn } from "../../src/pages/time.ts"

const at = (iso: string) => Date.parse(iso) / 1000
const slot = (iso: string, doctor = "doc_a") => ({
  doctor_uid: doctor,
  doctor_name: doctor === "doc_a" ? "Anna" : "Bert",
  start_date: at(iso),
  end_date: at(iso) + 1200
})

describe("free times by day", () => {
  test("a time near midnight is listed under its date in the displayed zone", () => {
    const late = [slot("2026-11-23T22:30:00Z"), slot("2026-11-23T23:30:00Z")]
    const dates = (zone: string) => dayStrip(late, zone, undefined).dates.map(({ date, count }) => [date, count])
    expect(dates("Europe/Berlin")).toEqual([
      ["2026-11-23", 1],
      ["2026-11-24", 1]
    ])
    expect(dates("America/New_York")).toEqual([["2026-11-23", 2]])
  })

  test("within a day, times are by doctor, in the order of the doctors' first times, whatever their names", () => {
    const slots = [
      slot("2026-11-23T08:00:00Z", "doc_b"),
      slot("2026-11-23T09:00:00Z", "doc_a"),
      slot("2026-11-23T09:00:00Z", "doc_b")
    ]
    const { day } = dayStrip(slots, "Europe/Berlin", undefined)
    expect(day?.doctors.map((own) => [own.doctor_name, own.slots.length])).toEqual([
      ["Bert", 2],
      ["Anna", 1]
    ])
  })

  // Shows: a slot search that costs seconds or gigabytes
  test("a date with very many times lists the first ones and counts all; Rule 5.5.10", () => {
    const slots = Array.from({ length: 2_400 }, (_, n) => slot("2026-11-23T08:00:00Z", n % 2 === 0 ? "doc_a" : "doc_b"))
    const { day } = dayStrip(slots, "Europe/Berlin", undefined)
    expect([day?.count, day?.doctors.map((own) => own.slots.length)]).toEqual([2_400, [1_000, 1_000]])
  })

  test("strips join without a gap or an overlap, forwards and back", () => {
    const slots = Array.from({ length: 20 }, (_, day) => slot(`2026-11-${String(10 + day)}T10:00:00Z`))
    const first = dayStrip(slots, "Europe/Berlin", undefined)
    expect(first.earlier).toBeNull()
    const second = dayStrip(slots, "Europe/Berlin", first.later ?? "")
    const third = dayStrip(slots, "Europe/Berlin", second.later ?? "")
    expect(third.later).toBeNull()
    expect([first, second, third].flatMap(({ dates }) => dates.map(({ date }) => date))).toEqual(
      slots.map((one) => dateIn("Europe/Berlin", one.start_date))
    )
    expect(dayStrip(slots, "Europe/Berlin", second.earlier ?? "")).toEqual(first)
    expect(first.dates).toHaveLength(DATES_IN_A_STRIP)
  })

  test("the strip stays while its days are selected, and each day shows its own times", () => {
    const slots = Array.from({ length: 20 }, (_, day) => slot(`2026-11-${String(10 + day)}T10:00:00Z`))
    const { dates, day } = dayStrip(slots, "Europe/Berlin", "2026-11-20")
    expect([dates[0]?.date, day?.date, day?.count]).toEqual(["2026-11-17", "2026-11-20", 1])
  })

  test("every slot is listed under its own date, across a month and the end of summer time", () => {
    const slots = Array.from({ length: 31 * 72 }, (_, n) => {
      const start_date = at("2026-10-10T00:00:00Z") + n * 1200
      return { doctor_uid: "doc_a", doctor_name: "Anna", start_date, end_date: start_date + 1200 }
    })
    const shown: Array<number> = []
    for (let begin: string | null = ""; begin !== null; ) {
      const strip = dayStrip(slots, "Europe/Berlin", begin)
      for (const { date } of strip.dates)
        for (const one of dayStrip(slots, "Europe/Berlin", date).day?.doctors.flatMap((own) => own.slots) ?? []) {
          expect(dateIn("Europe/Berlin", one.start_date)).toBe(date)
          shown.push(one.start_date)
        }
      begin = strip.later
    }
    expect(shown).toEqual(slots.map((one) => one.start_date))
  })

  test("a date after the last free one shows the last one, no times show none", () => {
    expect(dayStrip([slot("2026-11-23T10:00:00Z")], "Europe/Berlin", "2027-01-01").day?.date).toBe("2026-11-23")
    expect(dayStrip([], "Europe/Berlin", "nonsense")).toEqual({ dates: [], day: null, earlier: null, later: null })
  })

  test("morning ends at noon and afternoon at five in the displayed zone", () => {
    const parts = ["10:59", "11:00", "15:59", "16:00"].map((time) =>
      partOfDay("Europe/Berlin", at(`2026-11-23T${time}:00Z`))
    )
    expect(parts).toEqual(["morning", "afternoon", "afternoon", "evening"])
  })
})

describe("a page's texts", () => {
  test("clock times are those of the zone, even on the day of its change", () => {
    expect(clockTime("de", "Europe/Berlin", at("2026-03-29T00:30:00Z"))).toBe("01:30")
    expect(clockTime("en", "Europe/Berlin", at("2026-03-29T01:30:00Z"))).toBe("03:30")
    expect(clockTime("en", "Europe/Berlin", at("2026-03-28T23:00:00Z"))).toBe("00:00")
  })

  test("countdowns never go below zero", () => {
    expect([countdown(61), countdown(9), countdown(-3)]).toEqual(["1:01", "0:09", "0:00"])
  })
})
