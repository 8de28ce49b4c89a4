import { expect, test } from "bun:test"
import fc from "fast-check"
import { busyTimes } from "../../../src/services/scheduling/slots/busy.ts"
import { bufferOf, cutDoctor, offeringOf } from "../../../src/services/scheduling/slots/cut.ts"
import { sized } from "../../support/scale.ts"
import { ALL_ZONES, changesOf, search, searchIn } from "./arbitraries.ts"
import { calendar, engineSearch, findSlots } from "./engine.ts"
import { naiveSearch, naiveStarts } from "./naive.ts"

/** Runs of this file in other time zones of the process have fewer cases. */
const CASES = Number(process.env.SLOT_CASES ?? sized(2_000, 20_000))

test(`${CASES} searches give the same text as the naive implementation`, () => {
  let slots = 0
  fc.assert(
    fc.property(search, ({ doctors, type, range, timezone }) => {
      const expected = naiveSearch(doctors, type, range, timezone)
      slots += expected.split("start_date").length - 1
      expect(engineSearch(doctors, type, range, timezone)).toBe(expected)
    }),
    { numRuns: CASES }
  )
  expect(slots).toBeGreaterThan(CASES) // the cases are not empty ones
}, 120_000)

// Shows: a slot search that costs seconds or gigabytes
test("a search with a limit finds the first of all slots", () => {
  fc.assert(
    fc.property(search, fc.integer({ min: 1, max: 500 }), ({ doctors, type, range }, limit) => {
      const [all, first] = [undefined, limit].map((most) => findSlots(doctors.map(calendar), type, range, most))
      expect(first?.starts).toEqual(all?.starts.slice(0, limit) ?? new Float64Array())
      expect(first?.doctorAt).toEqual(all?.doctorAt.slice(0, limit) ?? new Uint32Array())
    }),
    { numRuns: Math.min(CASES, 1000) }
  )
}, 120_000)

test("the check of one start agrees with the search for every start", () => {
  fc.assert(
    fc.property(search, fc.integer(), ({ doctors: [doctor], type, range }, salt) => {
      if (doctor === undefined) return
      const found = naiveStarts(doctor, type, range)
      const ours = calendar(doctor)
      const withoutAppointments = naiveStarts({ ...doctor, appointments: [] }, type, range)
      for (const start of withoutAppointments.slice(0, 20)) {
        expect(offeringOf(ours, type, start, range.now)).toBe(found.includes(start) ? "free" : "taken")
      }
      const other = range.from + (Math.abs(salt) % (range.to - range.from))
      if (!withoutAppointments.includes(other)) expect(offeringOf(ours, type, other, range.now)).toBe("not_offered")
    }),
    { numRuns: Math.min(CASES, 1000) }
  )
}, 120_000)

test("of two starts each leaves the other free or neither does, whoever books first; Rules 3.5.4 and 18.3.1", () => {
  let [free, taken] = [0, 0]
  const buffers = fc.tuple(fc.constantFrom(0, 0, 10), fc.constantFrom(0, 0, 15))
  const pick = fc.tuple(fc.nat(), fc.integer({ min: -3, max: 3 }))
  const runs = Math.min(CASES, 2000)
  fc.assert(
    fc.property(
      search,
      fc.tuple(buffers, buffers),
      pick,
      ({ doctors: [own], type, range }, [one, other], [at, away]) => {
        if (own === undefined) return
        const doctor = calendar({ ...own, appointments: [] })
        const typed = (uid: string, [before, after]: readonly [number, number]) => ({
          ...type,
          uid,
          buffer_before_minutes: before,
          buffer_after_minutes: after
        })
        const [a, b] = [typed("type_a", one), typed("type_b", other)]
        const starts = cutDoctor(doctor, a, range)
        const first = starts[at % Math.max(starts.length, 1)]
        const near = { ...range, from: (first ?? range.from) - 2 * 86_400, to: (first ?? range.to) + 2 * 86_400 }
        const others = cutDoctor(doctor, b, near)
        const nearest = others.findIndex((start) => start >= (first ?? 0))
        const second = others[Math.max(0, nearest) + away]
        if (first === undefined || second === undefined) return
        const offered = (of: typeof a, start: number, [booked, by]: readonly [number, typeof a]) => {
          const [end, buffer] = [booked + by.duration_minutes * 60, bufferOf(doctor, by, booked, range.now) * 60]
          const gaps = { before: by.buffer_before_minutes * 60, after: by.buffer_after_minutes * 60, buffer }
          const busy = busyTimes([booked], [end])
          const withOne = { ...doctor, busy, neighbours: [{ start: booked, end, ...gaps }] }
          return offeringOf(withOne, of, start, range.now)
        }
        const found = offered(b, second, [first, a])
        expect(offered(a, first, [second, b])).toBe(found)
        if (found === "free") free++
        else taken++
      }
    ),
    { numRuns: runs }
  )
  // Both occur, also in the hundred cases of a zone
  expect(Math.min(free, taken)).toBeGreaterThan(runs / 100 - 1)
}, 120_000)

test("every zone, around each change of 2026 and 2027", () => {
  const from2026 = Date.UTC(2026, 0) / 1000
  const until2028 = Date.UTC(2028, 0) / 1000
  const type = { uid: "type_a", duration_minutes: 30 }
  const rules = [0, 1, 2, 3, 4, 5, 6].flatMap((weekday) =>
    [
      { start_time: 0, end_time: 210 },
      { start_time: 75, end_time: 1440 }
    ].map((window) => ({
      ...window,
      weekday,
      buffer_minutes: 10,
      valid_from: null,
      valid_until: null,
      appointment_type_uid: null
    }))
  )
  let changes = 0
  for (const timezone of ALL_ZONES) {
    const doctor = {
      doctor_uid: "doc",
      doctor_name: "Doctor",
      timezone,
      notice_minutes: 0,
      rules,
      overrides: [],
      appointments: []
    }
    const all = changesOf(timezone).filter((change) => change >= from2026 && change < until2028)
    changes += all.length
    for (const around of all.length === 0 ? [from2026] : all) {
      const range = { from: around - 86_400, to: around + 86_400, now: 0 }
      expect(cutDoctor(calendar(doctor), type, range)).toEqual([...naiveStarts(doctor, type, range)])
    }
  }
  expect(changes).toBeGreaterThan(400)
}, 120_000)

test("calendars of the years 9999 and 1900", () => {
  for (const year of [1900, 1972, 9999]) {
    const around = Temporal.PlainDate.from({ year, month: 3, day: 30 }).toZonedDateTime("UTC").epochMilliseconds / 1000
    fc.assert(
      fc.property(searchIn("Africa/Monrovia"), ({ doctors, type, range, timezone }) => {
        const moved = around - range.from
        const then = { from: range.from + moved, to: range.to + moved, now: range.now + moved }
        const weekly = doctors.map((doctor) => ({
          ...doctor,
          rules: doctor.rules.map((rule) => ({ ...rule, valid_from: null, valid_until: null }))
        }))
        expect(engineSearch(weekly, type, then, timezone)).toBe(naiveSearch(weekly, type, then, timezone))
      }),
      { numRuns: Math.min(CASES, 100) }
    )
  }
}, 120_000)
