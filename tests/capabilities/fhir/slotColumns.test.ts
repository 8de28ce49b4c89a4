/** Pages of slots as columns are those that lists of objects would be (Rule 20.5.3). */
import { expect, test } from "bun:test"
import { type Part, type Position, slotColumns } from "../../../src/capabilities/fhir/services/slotColumns.ts"

const pick = (most: number) => Math.floor(Math.random() * most)
const FROM = 2_000_000_000
const STEP = 300

interface Slot {
  readonly start: number
  readonly doctor_uid: string
  readonly type_uid: string
  readonly end: number
  readonly isFree: boolean
}

const byPage = (a: Slot, b: Slot) =>
  a.start - b.start ||
  (a.doctor_uid < b.doctor_uid ? -1 : a.doctor_uid > b.doctor_uid ? 1 : 0) ||
  (a.type_uid < b.type_uid ? -1 : 1)

/** One to three types of up to four doctors, some starts twice, some with an end of their own. */
const parts = (): ReadonlyArray<Part> =>
  Array.from({ length: 1 + pick(3) }, (_, type) => {
    const doctors = Array.from({ length: 1 + pick(4) }, (__, at) => ({ doctor_uid: `doc_${at}`, timezone: "UTC" }))
    const slots = Array.from({ length: pick(30) }, () => ({
      at: pick(doctors.length),
      start: FROM + STEP * pick(40),
      isFree: pick(2)
    }))
    // A search for free ones has each once, by start and doctor
    const sorted = slots.sort((a, b) => a.start - b.start || a.at - b.at)
    return {
      type_uid: `aty_${type}`,
      duration_minutes: 10 + type,
      doctors,
      doctorAt: sorted.map(({ at }) => at),
      starts: sorted.map(({ start }) => start),
      isFree: sorted.map(({ isFree }) => isFree),
      ends: sorted.flatMap(({ start, at }, index) =>
        (start / STEP + at) % 7 === 0 ? [[index, start + 1_234] as const] : []
      )
    }
  })

const naive = (some: ReadonlyArray<Part>): ReadonlyArray<Slot> => {
  const all = new Map<string, Slot>()
  for (const { type_uid, duration_minutes, doctors, doctorAt, starts, isFree, ends } of some)
    for (let at = 0; at < starts.length; at++) {
      const { doctor_uid } = doctors[doctorAt[at] ?? 0] ?? { doctor_uid: "" }
      const start = starts[at] ?? 0
      const end = new Map(ends).get(at) ?? start + duration_minutes * 60
      const name = `${start} ${doctor_uid} ${type_uid}`
      all.set(name, { start, doctor_uid, type_uid, end, isFree: isFree?.[at] === 1 || all.get(name)?.isFree === true })
    }
  return [...all.values()].sort(byPage)
}

const listed = ({ places, placeAt, starts, ends, isFree }: ReturnType<typeof slotColumns>): ReadonlyArray<Slot> =>
  Array.from(starts, (start, at) => {
    const { doctor_uid, type_uid } = places[placeAt[at] ?? 0] ?? { doctor_uid: "", type_uid: "" }
    return { start, doctor_uid, type_uid, end: ends[at] ?? 0, isFree: isFree[at] === 1 }
  })

const within = { from: FROM, to: FROM + 40 * STEP }
const BOTH = new Set(["free", "busy"])

test("in the order of pages, each place and start once, after a position, before the end, of a status", () => {
  for (let round = 0; round < 500; round++) {
    const some = parts()
    const all = naive(some)
    expect(listed(slotColumns(some, within, undefined, BOTH))).toEqual(all)
    const to = FROM + STEP * pick(40)
    expect(listed(slotColumns(some, { from: FROM, to }, undefined, BOTH))).toEqual(
      all.filter(({ start }) => start < to)
    )
    const status = pick(2) === 0 ? "free" : "busy"
    expect(listed(slotColumns(some, within, undefined, new Set([status])))).toEqual(
      all.filter(({ isFree }) => isFree === (status === "free"))
    )
    const last = all[pick(all.length)]
    if (last === undefined) continue
    const position: Position = [last.start, last.doctor_uid, last.type_uid]
    expect(listed(slotColumns(some, within, position, BOTH))).toEqual(all.slice(all.indexOf(last) + 1))
    // It need not be there any more
    const gone: Position = [last.start, `${last.doctor_uid}x`, last.type_uid]
    expect(listed(slotColumns(some, within, gone, BOTH))).toEqual(
      all.filter((slot) => byPage(slot, { ...last, doctor_uid: gone[1] }) > 0)
    )
  }
})

test("of parts that were cut, all slots are there up to the first cut, and none after it", () => {
  for (let round = 0; round < 500; round++) {
    const some = parts()
    const cut = some.map((part) => {
      const kept = pick(part.starts.length + 1)
      const { starts, doctorAt, isFree, ends = [] } = part
      // A cut part has at least one slot: the limit of a search is at least one
      if (kept === 0 || kept === starts.length) return part
      return {
        ...part,
        starts: Array.from(starts).slice(0, kept),
        doctorAt: Array.from(doctorAt).slice(0, kept),
        isFree: Array.from(isFree ?? []).slice(0, kept),
        ends: [...ends].filter(([at]) => at < kept),
        isWhole: false
      }
    })
    const found = listed(slotColumns(cut, within, undefined, BOTH))
    const places = (slots: ReadonlyArray<Slot>) =>
      slots.map(({ start, doctor_uid, type_uid }) => [start, doctor_uid, type_uid])
    expect(places(found)).toEqual(places(naive(some)).slice(0, found.length))
    const incomplete = cut.filter((part) => part.isWhole === false)
    if (incomplete.length === 0) expect(found).toHaveLength(naive(some).length)
    // Of one cut part every slot is certain: a page needs one search
    if (cut.length === 1) expect(found).toHaveLength(naive(cut).length)
  }
})
