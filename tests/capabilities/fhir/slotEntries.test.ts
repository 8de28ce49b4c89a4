/** A page of slots as bytes is what the serialiser writes for each slot (Rule 20.5.3). */
import { expect, test } from "bun:test"
import { bundleAround, writeEntry } from "../../../src/capabilities/fhir/http/serialise.ts"
import { slotPieces } from "../../../src/capabilities/fhir/http/slotEntries.ts"
import { type View, viewed } from "../../../src/capabilities/fhir/http/views.ts"
import { localInstant, type Resource, slotForm } from "../../../src/capabilities/fhir/services/forms.ts"
import { scheduleId, slotId, slotIn } from "../../../src/capabilities/fhir/services/ids.ts"
import { type SlotColumns, slotColumns } from "../../../src/capabilities/fhir/services/slotColumns.ts"

const DAY = 86_400
const BASE = "https://praxis.example/~service/fhir/r4"
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
          return entry(slotForm({ id: slotId(doctor_uid, type_uid, start), schedule_id, status, ...times }))
        })
      )
      for (const size of [1, 7, 1_000]) {
        const written = Buffer.concat([...slotPieces(around, pages, entry, size)]).toString()
        expect(written).toBe(around.head + expected.join(around.comma) + around.tail)
      }
    }
  })

test("an id says its doctor, type and start", () => {
  for (const start of [0, 1, 36 ** 6 - 1, 36 ** 6, 4_102_444_800, 36 ** 7 - 1]) {
    const id = slotId("doc_1", "aty_x", start)
    expect(id.length).toBeLessThanOrEqual(64)
    expect(slotIn(id)).toMatchObject({ start })
  }
  const id = slotId("doc_1", "aty_x", 36)
  for (const other of [id.slice(0, 34), `${id.slice(0, 34)}010`, `${id}-00`, slotId("doc_1", "aty_x", 36 ** 7)])
    expect([other, slotIn(other)]).toEqual([other, undefined])
})
