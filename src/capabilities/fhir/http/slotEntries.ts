/**
 * The entries of a page of slots as bytes. The form of a slot is written once for each status, with blanks where its doctor and type, start
 * and times stand; every slot is a copy of it with the blanks filled in. Building and writing an object for each slot takes several
 * times as long as finding it.
 */

import { ISO_LENGTH, localIsoBytes } from "../../../services/scheduling/slots/localIso.ts"
import { zoneOf } from "../../../services/scheduling/slots/zones.ts"
import { type Resource, slotForm } from "../services/forms.ts"
import { PAIR_LENGTH, shortOf, startDigits } from "../services/ids.ts"
import type { SlotColumns } from "../services/slotColumns.ts"
import type { BundleAround } from "./serialise.ts"

/** A sign that no name or address has, and that neither format escapes. */
const BLANK = "\x7f"
const blank = (length: number) => BLANK.repeat(length)
const HYPHEN = "-".charCodeAt(0)

/** Faster than a call for so few bytes. */
const put = (body: Uint8Array, at: number, text: Uint8Array, from = 0, length = text.length) => {
  for (let i = 0; i < length; i++) body[at + i] = text[from + i] as number // a valid index
}

interface Template {
  readonly bytes: Uint8Array
  /** Where the start stands in each of the two ids. */
  readonly ids: readonly [fullUrl: number, id: number]
  readonly start: number
  readonly end: number
}

/** What is the same for all slots of a status, whose starts have so many digits. */
const formOf = (status: "free" | "busy", entryOf: (slot: Resource) => string, comma: string, digits: number) => {
  const text = entryOf(
    slotForm({
      id: blank(PAIR_LENGTH + 1 + digits),
      schedule_id: `s-${blank(PAIR_LENGTH)}`,
      status,
      start: blank(ISO_LENGTH),
      end: blank(ISO_LENGTH)
    })
  )
  // Without the methods of a Buffer, whose `set` is slower
  const bytes = new Uint8Array(Buffer.from(comma + text))
  const blanks = Buffer.from(bytes)
    .toString("latin1")
    .matchAll(new RegExp(`${BLANK}+`, "g"))
  const [fullUrl = 0, id = 0, schedule = 0, start = 0, end = 0] = [...blanks].map(({ index }) => index)
  return { bytes, ids: [fullUrl, id] as const, schedule, start, end }
}

/** The template of a pair and status, made when it is first used. */
const templatesOf = (
  pairs: ReadonlyArray<string>,
  entryOf: (slot: Resource) => string,
  comma: string,
  digits: number
) => {
  const forms = (["busy", "free"] as const).map((status) => formOf(status, entryOf, comma, digits))
  const made: Array<Template | undefined> = forms.flatMap(() => pairs.map(() => undefined))
  const at = (pair: number, isFree: number): Template => {
    const index = pairs.length * isFree + pair
    const known = made[index]
    if (known !== undefined) return known
    // The casts: the indices are valid
    const { ids, schedule, ...form } = forms[isFree] as (typeof forms)[number]
    const bytes = form.bytes.slice()
    const text = Buffer.from(pairs[pair] as string)
    put(bytes, schedule, text)
    for (const id of ids) {
      put(bytes, id, text)
      bytes[id + PAIR_LENGTH] = HYPHEN
    }
    const start = PAIR_LENGTH + 1
    const template: Template = { ...form, bytes, ids: [ids[0] + start, ids[1] + start] }
    made[index] = template
    return template
  }
  return { at, longest: Math.max(...forms.map(({ bytes }) => bytes.length)) }
}

/** The local times of starts and of ends in each zone: slots with the same start are adjacent. */
const localTimes = () => {
  const known = new Map<string, Readonly<Record<"start" | "end", (instant: number) => Uint8Array>>>()
  return (timezone: string) => {
    const found = known.get(timezone)
    if (found !== undefined) return found
    const zone = zoneOf(timezone)
    const made = { start: localIsoBytes(zone), end: localIsoBytes(zone) }
    known.set(timezone, made)
    return made
  }
}

/** The digits of a start in ids, as `startDigits` has them. The next call overwrites them. */
const digitsWriter = (length: number) => {
  const bytes = new Uint8Array(length)
  let last = Number.NaN
  return (start: number) => {
    if (start === last) return bytes
    last = start
    for (let at = length - 1, rest = start; at >= 0; at--) {
      const higher = Math.floor(rest / 36)
      const digit = rest - 36 * higher
      bytes[at] = digit + (digit < 10 ? 48 : 87)
      rest = higher
    }
    return bytes
  }
}

/** The whole Bundle, in pieces of `size` slots. */
export const slotPieces = function* (
  { head, tail, comma }: BundleAround,
  pages: ReadonlyArray<SlotColumns>,
  entryOf: (slot: Resource) => string,
  size: number
): Generator<Uint8Array> {
  yield Buffer.from(head)
  const timesIn = localTimes()
  const shorts = new Map<string, string>()
  const shortFor = (uid: string) => {
    const known = shorts.get(uid) ?? shortOf(uid)
    shorts.set(uid, known)
    return known
  }
  let isFirst = true
  for (const columns of pages) {
    const { places, placeAt, starts, ends, isFree } = columns
    if (starts.length === 0) continue
    const pairs = places.map(({ doctor_uid, type_uid }) => `${shortFor(doctor_uid)}-${shortFor(type_uid)}`)
    const times = places.map(({ timezone }) => timesIn(timezone))
    // The casts: the indices are valid; a check for each would only cost time
    let digits = startDigits(starts[0] as number).length
    let [templates, digitsOf] = [templatesOf(pairs, entryOf, comma, digits), digitsWriter(digits)]
    for (let from = 0, to = 0; from < starts.length; from = to) {
      if ((starts[from] as number) >= 36 ** digits) {
        // In 2038 starts get one more digit
        digits++
        templates = templatesOf(pairs, entryOf, comma, digits)
        digitsOf = digitsWriter(digits)
      }
      to = Math.min(starts.length, from + size)
      while ((starts[to - 1] as number) >= 36 ** digits) to--
      // What is not overwritten is not sent
      const body = Buffer.allocUnsafe(templates.longest * (to - from))
      let at = 0
      for (let slot = from; slot < to; slot++) {
        const place = placeAt[slot] as number
        const { bytes, ids, start, end } = templates.at(place, isFree[slot] as number)
        const { start: startIn, end: endIn } = times[place] as (typeof times)[number]
        const text = digitsOf(starts[slot] as number)
        body.set(bytes, at)
        for (let one = 0; one < 2; one++) put(body, at + (ids[one] as number), text)
        put(body, at + start, startIn(starts[slot] as number))
        put(body, at + end, endIn(ends[slot] as number))
        at += bytes.length
      }
      yield body.subarray(isFirst ? comma.length : 0, at)
      isFirst = false
    }
  }
  yield Buffer.from(tail)
}
