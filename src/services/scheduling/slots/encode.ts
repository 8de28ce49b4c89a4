import type { FoundSlots } from "./find.ts"
import { localIsoWriter } from "./localIso.ts"
import { type Zone, zoneOf } from "./zones.ts"

/** Longest text of a slot after its doctor: two instants, two local times, and a zone's name of at most 64 characters. */
const TAIL_AT_MOST = 256

/** What a slot says apart from its doctor; a comma is its last character. ASCII only, as zones' names are. */
const tailWriter = (zone: Zone, duration: number) => {
  const local = localIsoWriter(zone)
  const timezone = JSON.stringify(zone.name)
  return (start: number): string => {
    const end = start + duration
    return `${start},"end_date":${end},"timezone":${timezone},"start_local":"${local(start)}","end_local":"${local(end)}"},`
  }
}

/**
 * The response body of a slot search (Rule 3.8.2) in pieces of so many slots: the UTF-8 bytes of `{"slots":[…]}` with local times in
 * `timezone`, an IANA name. A piece is written when it is asked for. Bytes are written directly: making a record of
 * every slot and having it stringified would take several times as long as finding the slots. Slots of one start stand
 * side by side and share what follows the doctor, so that it is written once and copied.
 */
export const encodedPieces = function* (found: FoundSlots, timezone: string, size: number): Generator<Uint8Array> {
  const { starts, doctorAt } = found
  const heads = found.doctors.map(({ doctor_uid, doctor_name }) =>
    Buffer.from(
      `{"doctor_uid":${JSON.stringify(doctor_uid)},"doctor_name":${JSON.stringify(doctor_name)},"start_date":`
    )
  )
  const longestHead = heads.reduce((longest, head) => Math.max(longest, head.length), 0)
  const tailOf = tailWriter(zoneOf(timezone), found.duration_minutes * 60)
  const count = starts.length

  let from = 0
  do {
    const to = Math.min(count, from + size)
    const body = Buffer.allocUnsafe(16 + (to - from) * (longestHead + TAIL_AT_MOST))
    let at = from === 0 ? body.write('{"slots":[', 0, "latin1") : 0
    let tailAt = 0
    let tailLength = 0
    // The casts: `from` to `to` lie within the arrays, which a check for each index would only slow
    for (let i = from; i < to; i++) {
      const head = heads[doctorAt[i] as number] as Buffer
      body.set(head, at)
      at += head.length
      if (i > from && starts[i] === starts[i - 1]) body.copyWithin(at, tailAt, tailAt + tailLength)
      else {
        tailAt = at
        tailLength = body.write(tailOf(starts[i] as number), at, "latin1")
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

/** The whole body at once. */
export const encodeSlots = (found: FoundSlots, timezone: string): Uint8Array =>
  Buffer.concat([...encodedPieces(found, timezone, found.starts.length)])
