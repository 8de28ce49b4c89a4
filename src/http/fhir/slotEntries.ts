/**
 * The entries of a page of slots as bytes. The form of a slot is written once for each doctor, type and status, with blanks where the id ends
 * and the times stand; every slot is a copy of it with the blanks filled in. Building and writing an object for each slot takes several times
 * as long as finding it.
 */
import { localInstant, type Resource, slotForm } from "../../services/fhir/forms.ts"
import { SIGNATURE_LENGTH, SIGNATURE_STEP, slotPair, startDigits } from "../../services/fhir/ids.ts"
import type { Place, SlotColumns } from "../../services/fhir/slotColumns.ts"
import type { BundleAround } from "./serialise.ts"

/** A sign that no name or address has, and that neither format escapes. */
const BLANK = "\x7f"
const blank = (length: number) => BLANK.repeat(length)
/** Of a local time with its offset. No end of an id is as long. */
const TIME_LENGTH = 25

interface Template {
  readonly bytes: Uint8Array
  /** Where the start stands in ids. */
  readonly ids: ReadonlyArray<number>
  readonly start: number
  readonly end: number
}

const templateOf = (text: string): Template => {
  // Without the methods of a Buffer, whose `set` is slower
  const bytes = new Uint8Array(Buffer.from(text))
  const blanks = [
    ...Buffer.from(bytes)
      .toString("latin1")
      .matchAll(new RegExp(`${BLANK}+`, "g"))
  ]
  const [start = 0, end = 0] = blanks.flatMap(({ 0: { length }, index }) => (length === TIME_LENGTH ? index : []))
  const isStart = (length: number) => length !== TIME_LENGTH && length !== SIGNATURE_LENGTH
  return { bytes, ids: blanks.flatMap(({ 0: { length }, index }) => (isStart(length) ? index : [])), start, end }
}

/** Faster than a call for so few bytes. */
const put = (body: Uint8Array, at: number, text: string, from = 0, length = text.length) => {
  for (let i = 0; i < length; i++) body[at + i] = text.charCodeAt(from + i)
}

/** Remembers the last text, since slots with the same start are adjacent. */
const remembering = (write: (instant: number) => string) => {
  let [last, text] = [Number.NaN, ""]
  return (instant: number) => {
    if (instant !== last) {
      last = instant
      text = write(instant)
    }
    return text
  }
}

/** The local times of starts and of ends in each zone. */
const localTimes = () => {
  const known = new Map<string, { readonly start: (at: number) => string; readonly end: (at: number) => string }>()
  return (timezone: string) => {
    const found = known.get(timezone)
    if (found !== undefined) return found
    const write = localInstant(timezone)
    const made = { start: remembering(write), end: remembering(write) }
    known.set(timezone, made)
    return made
  }
}

/** The templates of slots, for each place, status and length of the start in ids. */
const templatesOf = (places: ReadonlyArray<Place>, comma: string, entryOf: (slot: Resource) => string) => {
  const known = { free: places.map((): Array<Template> => []), busy: places.map((): Array<Template> => []) }
  return (place: number, status: "free" | "busy", length: number) => {
    const own = known[status][place] as Array<Template> // the cast: a valid index
    const found = own[length]
    if (found !== undefined) return found
    const { doctor_uid, type_uid } = places[place] as Place
    const id = `${slotPair(doctor_uid, type_uid)}${blank(length)}-${blank(SIGNATURE_LENGTH)}`
    const times = { start: blank(TIME_LENGTH), end: blank(TIME_LENGTH) }
    const made = templateOf(comma + entryOf(slotForm({ id, doctor_uid, type_uid, status, ...times })))
    own[length] = made
    return made
  }
}

/** The whole Bundle, in pieces of `size` slots. `signaturesOf` has the signatures of each place's slots, one after the other. */
export const slotPieces = function* (
  { head, tail, comma }: BundleAround,
  pages: ReadonlyArray<SlotColumns>,
  signaturesOf: (columns: SlotColumns) => ReadonlyArray<string>,
  entryOf: (slot: Resource) => string,
  size: number
): Generator<Uint8Array> {
  yield Buffer.from(head)
  const timesIn = localTimes()
  const digitsOf = remembering(startDigits)
  let isFirst = true
  for (const columns of pages) {
    const { places, placeAt, starts, ends, isFree } = columns
    const signatures = signaturesOf(columns)
    const signed = new Uint32Array(places.length)
    const times = places.map(({ timezone }) => timesIn(timezone))
    const templateAt = templatesOf(places, comma, entryOf)
    for (let from = 0; from < starts.length; from += size) {
      const to = Math.min(starts.length, from + size)
      const chosen: Array<Template> = []
      let length = 0
      // The casts: the indices are valid; a check for each would only cost time
      for (let slot = from; slot < to; slot++) {
        const digits = digitsOf(starts[slot] as number)
        const template = templateAt(placeAt[slot] as number, isFree(slot) ? "free" : "busy", digits.length)
        chosen.push(template)
        length += template.bytes.length
      }
      const body = new Uint8Array(length)
      let at = 0
      for (let slot = from; slot < to; slot++) {
        const place = placeAt[slot] as number
        const { bytes, ids, start, end } = chosen[slot - from] as Template
        const { start: startIn, end: endIn } = times[place] as (typeof times)[number]
        const digits = digitsOf(starts[slot] as number)
        const signature = signatures[place] as string
        const signedAt = SIGNATURE_STEP * (signed[place] as number)
        signed[place] = (signed[place] as number) + 1
        body.set(bytes, at)
        for (const id of ids) {
          put(body, at + id, digits)
          put(body, at + id + digits.length + 1, signature, signedAt, SIGNATURE_LENGTH)
        }
        put(body, at + start, startIn(starts[slot] as number))
        put(body, at + end, endIn(ends[slot] as number))
        at += bytes.length
      }
      yield isFirst ? body.subarray(comma.length) : body
      isFirst = false
    }
  }
  yield Buffer.from(tail)
}
