import type { DoctorCalendar } from "./calendar.ts"
import type { FoundSlots } from "./find.ts"
import { localIsoWriter } from "./localIso.ts"
import { type Zone, zoneOf } from "./zones.ts"

/**
 * Maximum length of a slot's JSON after its doctor, without the name of the zone: two instants, two local times, seats. Of four-digit years
 * it takes nearly all of it: memory that is not written to costs as much as the writing.
 */
const TAIL_MAX = 176

/** A slot's JSON after its doctor, with a trailing comma. ASCII only, as zone names are. */
const slotTailWriter = (zone: Zone, duration: number) => {
  const local = localIsoWriter(zone)
  const timezone = JSON.stringify(zone.name)
  return (start: number, seats?: number): string => {
    const end = start + duration
    const left = seats === undefined ? "" : `,"seats_left":${seats}`
    return `${start},"end_date":${end},"timezone":${timezone},"start_local":"${local(start)}","end_local":"${local(end)}"${left}},`
  }
}

/**
 * The response body of a slot search (Rule 3.8.2) in chunks of `size` slots: the UTF-8 bytes of `{"slots":[…]}` with local times in
 * `timezone`, an IANA name. Chunks are written lazily. Bytes are written directly: building an object for every slot and stringifying it
 * takes several times as long as finding the slots. Slots with the same start are adjacent and share what follows the doctor, which is
 * written once and copied.
 */
export const encodedChunks = function* (found: FoundSlots, timezone: string, size: number): Generator<Uint8Array> {
  const { starts, doctorAt, seatsLeft } = found
  const headOf = ({ doctor_uid, doctor_name }: DoctorCalendar) =>
    Buffer.from(
      `{"doctor_uid":${JSON.stringify(doctor_uid)},"doctor_name":${JSON.stringify(doctor_name)},"start_date":`
    )
  // Only of doctors with a slot: with a limit they are few
  const heads: Array<Buffer | undefined> = found.doctors.map(() => undefined)
  for (const d of doctorAt) heads[d] ??= headOf(found.doctors[d] as DoctorCalendar) // a valid index
  const longestHead = heads.reduce((longest, head) => Math.max(longest, head?.length ?? 0), 0)
  const tailOf = slotTailWriter(zoneOf(timezone), found.duration_minutes * 60)
  const count = starts.length

  let from = 0
  do {
    const to = Math.min(count, from + size)
    const body = Buffer.allocUnsafe(16 + (to - from) * (longestHead + timezone.length + TAIL_MAX))
    let at = from === 0 ? body.write('{"slots":[', 0, "latin1") : 0
    let tailAt = 0
    let tailLength = 0
    // The casts: `from` to `to` are valid indices; a check for each index would only cost time
    for (let i = from; i < to; i++) {
      const head = heads[doctorAt[i] as number] as Buffer
      body.set(head, at)
      at += head.length
      if (seatsLeft === undefined && i > from && starts[i] === starts[i - 1])
        body.copyWithin(at, tailAt, tailAt + tailLength)
      else {
        tailAt = at
        tailLength = body.write(tailOf(starts[i] as number, seatsLeft?.[i]), at, "latin1")
      }
      at += tailLength
    }
    if (to === count) {
      if (count > 0) at-- // the last comma
      at += body.write("]}", at, "latin1")
    }
    yield body.subarray(0, at)
    from = to
  } while (from < count)
}

/** The whole body as one chunk. */
export const encodeSlots = (found: FoundSlots, timezone: string): Uint8Array => {
  const [whole] = encodedChunks(found, timezone, found.starts.length)
  return whole as Uint8Array // the generator yields at least once
}
