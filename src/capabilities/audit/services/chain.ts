/** The hash chain of an owner's entries: MACs and verification. */
import { createHmac, timingSafeEqual } from "node:crypto"

/** An entry as stored, exported and sealed; `at` in microseconds. */
export interface StoredEntry {
  readonly owner_uid: string
  readonly position: number
  readonly at: number
  readonly action: string
  readonly actor_kind: string
  readonly actor_uid: string
  readonly subject: string | null
  readonly purpose: string | null
  readonly trace_id: string
  readonly address: string | null
}

export interface Link {
  readonly number: number
  /** base64 */
  readonly mac: string
}

/** The end of an owner's chain. */
export interface Head {
  readonly owner_uid: string
  readonly number: number
  /** MAC of the owner, the number and the last link's MAC; base64. */
  readonly mac: string
}

/** The MAC before an owner's first entry. */
const START = ""

/** Prefixes each value with its length, so that the encoding is unambiguous. */
const written = (values: ReadonlyArray<string | number | null>) =>
  values.map((value) => (value === null ? "-" : `${Buffer.byteLength(String(value))}:${value}`)).join(",")

export const macOf = (key: Uint8Array, previous: string, { number, entry }: { number: number; entry: StoredEntry }) =>
  createHmac("sha256", key)
    .update(
      written([
        previous,
        number,
        entry.owner_uid,
        entry.position,
        entry.at,
        entry.action,
        entry.actor_kind,
        entry.actor_uid,
        entry.subject,
        entry.purpose,
        entry.trace_id,
        entry.address
      ])
    )
    .digest("base64")

export const headMacOf = (key: Uint8Array, owner_uid: string, { number, mac }: Link) =>
  createHmac("sha256", key)
    .update(written(["head", owner_uid, number, mac]))
    .digest("base64")

const isSame = (a: string, b: string) => a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))

/** The first entry of an owner's chain that fails verification, and why. */
export interface Fault {
  readonly owner_uid: string
  readonly number: number
  readonly reason: string
}

/** Verifies one owner's chain, link by link. */
export const chainVerifier = (key: Uint8Array, owner_uid: string) => {
  let last: Link = { number: 0, mac: START }
  const fault = (number: number, reason: string): Fault => ({ owner_uid, number, reason })

  /** Verifies the next link with its entry; undefined if it is valid. */
  const follow = (link: Link, entry: StoredEntry | undefined): Fault | undefined => {
    const expected = last.number + 1
    if (link.number !== expected) return fault(expected, "is missing from the chain")
    if (entry === undefined) return fault(expected, "has been deleted")
    if (!isSame(link.mac, macOf(key, last.mac, { number: link.number, entry })))
      return fault(expected, "has been changed, or is not the one that was sealed")
    last = link
  }

  const end = (head: Head | undefined): Fault | undefined => {
    if (head === undefined) return fault(last.number + 1, "the end of the chain is not known")
    if (head.number !== last.number) return fault(Math.min(head.number, last.number) + 1, "the chain ends elsewhere")
    if (!isSame(head.mac, headMacOf(key, owner_uid, last))) return fault(last.number, "the end of the chain was forged")
  }
  return { follow, end }
}

/** The links for these entries after `after`. */
export const chained = (key: Uint8Array, after: Link, entries: ReadonlyArray<StoredEntry>): ReadonlyArray<Link> => {
  const links: Array<Link> = []
  let { number, mac } = after
  for (const entry of entries) {
    number++
    mac = macOf(key, mac, { number, entry })
    links.push({ number, mac })
  }
  return links
}

export const start: Link = { number: 0, mac: START }
