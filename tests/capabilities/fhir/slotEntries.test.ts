/** A page of slots as bytes is what the serialiser writes for each slot (Rule 20.5.3). */
import { expect, test } from "bun:test"
import { bundleAround, writeEntry } from "../../../src/capabilities/fhir/http/serialise.ts"
import { slotPieces } from "../../../src/capabilities/fhir/http/slotEntries.ts"
import { type View, viewed } from "../../../src/capabilities/fhir/http/views.ts"
import { localInstant, type Resource, slotForm } from "../../../src/capabilities/fhir/services/forms.ts"
import { pairOf, scheduleId, slotIds } from "../../../src/capabilities/fhir/services/ids.ts"
import { type SlotColumns, slotColumns } from "../../../src/capabilities/fhir/services/slotColumns.ts"

const DAY = 86_400
const BASE = "https://praxis.example/~service/fhir/r4"
const ids = slotIds([new Uint8Array(32).fill(7)], "org_x")
const places = ["Europe/Berlin", "UTC", "Asia/Kolkata"].map((timezone, at) => ({
  doctor_uid: `doc_${at}`,
  type_uid: at === 1 ? "Typ & ü" : "aty_x",
  timezone
}))

/** Three slots at each time, from before the start's digits become seven (2038) until after the clocks change. */
const columns = (): SlotColumns => {
  const from = 36 ** 6 - 3_600
  const numbers = Array.from({ length: 100 }, (_, at) => at)
  const parts = places.map(({ type_uid, ...doctor }, place) => ({
    type_uid,
    duration_minutes: 30,
    doctors: [doctor],
    doctorAt: numbers.map(() => 0),
    starts: numbers.map((at) => from + at * 1_200),
    isFree: numbers.map((at) => ((at + place) % 5 === 0 ? 0 : 1))
  }))
  return slotColumns(parts, { from, to: from + 10 * DAY }, undefined, new Set(["free", "busy"]))
}

const signed = ({ places: all, placeAt, starts }: SlotColumns) => {
  const pairs = all.map(({ doctor_uid, type_uid }) => pairOf(doctor_uid, type_uid))
  return { pairs, signatures: ids.signaturesOf({ pairs, pairAt: placeAt, starts }) }
}

for (const format of ["json", "xml"] as const)
  test(`pieces of a page of slots are what the serialiser writes: ${format}`, () => {
    const views: ReadonlyArray<View> = [
      { summary: "false", elements: undefined },
      { summary: "true", elements: undefined },
      { summary: "false", elements: ["start"] }
    ]
    for (const view of views) {
      const around = bundleAround({ resourceType: "Bundle", type: "searchset" }, format)
      const entry = (slot: Resource) =>
        writeEntry(
          { fullUrl: `${BASE}/Slot/${slot.id}`, resource: viewed("Slot", slot, view), search: { mode: "match" } },
          format
        )
      const pages = [columns(), columns()]
      const expected = pages.flatMap(({ places: all, placeAt, starts, ends, isFree }) =>
        Array.from(starts, (start, at) => {
          const { doctor_uid, type_uid, timezone } = all[placeAt[at] ?? 0] ?? {
            doctor_uid: "",
            type_uid: "",
            timezone: "UTC"
          }
          const local = localInstant(timezone)
          const status = isFree[at] === 1 ? "free" : "busy"
          const times = { start: local(start), end: local(ends[at] ?? 0) }
          const schedule_id = scheduleId(doctor_uid, type_uid)
          return entry(slotForm({ id: ids.idOf(doctor_uid, type_uid, start), schedule_id, status, ...times }))
        })
      )
      for (const size of [1, 7, 1_000]) {
        const written = Buffer.concat([...slotPieces(around, pages, signed, entry, size)]).toString()
        expect(written).toBe(around.head + expected.join(around.comma) + around.tail)
      }
    }
  })

test("an id says its doctor, type and start, and only the service can write it", () => {
  for (const start of [0, 1, 36 ** 6 - 1, 36 ** 6, 4_102_444_800, 2 ** 40, 36 ** 9 - 1]) {
    const id = ids.idOf("doc_1", "aty_x", start)
    expect(id.length).toBeLessThanOrEqual(64)
    expect(ids.placeIn(id)).toMatchObject({ start })
    const last = id.endsWith("0") ? "1" : "0"
    expect(ids.placeIn(id.slice(0, -1) + last)).toBeUndefined()
    expect(slotIds([new Uint8Array(32).fill(7)], "org_y").placeIn(id)).toBeUndefined()
    expect(slotIds([new Uint8Array(32).fill(8)], "org_x").placeIn(id)).toBeUndefined()
    expect(slotIds([new Uint8Array(32).fill(8), new Uint8Array(32).fill(7)], "org_x").placeIn(id)).toMatchObject({
      start
    })
  }
})
