/**
 * `bun bench/refilled.ts`: how much cancelled time a practice refills with the waiting list and without. A simulation by the service's own
 * rules of what fits whom and when an offer is sent and lapses; who looks, waits and answers is assumed, below.
 */

import { AT_ONCE, fits, isNear, termsOf, type Wish } from "../src/capabilities/waiting-list/services/fit.ts"
import { DAY, HOUR } from "../src/schemas/seconds.ts"

const [DOCTORS, SLOTS, SLOT_MINUTES, WEEKS] = [8, 24, 20, 26]
const ZONE = "Europe/Berlin"
const assumed = {
  /** Share of appointments that are cancelled. */
  cancelled: [0.05, 0.08, 0.12],
  /** Days before the start at which a cancellation comes, and the share of those up to it. */
  lead: [
    [0.2, 0.15],
    [1, 0.4],
    [3, 0.65],
    [7, 0.85],
    [14, 1]
  ],
  /** Chance in an hour that somebody who looks at the booking page takes a free time, by the days until it. */
  found: [
    [1, 0.004],
    [3, 0.008],
    [30, 0.012]
  ],
  /** Patients who join the list in a week, and the share of offers that are accepted and declined; the others lapse. */
  joins: 40,
  accepts: 0.45,
  declines: 0.25
} as const

/** The same numbers in each run. */
const numbersFrom = (seed: number) => {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return state / 2 ** 32
  }
}

interface Waiting extends Wish {
  readonly need: number
  readonly since: number
  done: boolean
}
const lookedUp = (table: ReadonlyArray<readonly [number, number]>, days: number) =>
  (table.find(([until]) => days <= until) ?? table.at(-1) ?? [0, 0])[1]

const simulate = (share: number, withList: boolean) => {
  const random = numbersFrom(42)
  const start = Date.UTC(2026, 0, 5) / 1000
  const end = start + WEEKS * 7 * DAY
  const doctors = Array.from({ length: DOCTORS }, (_, at) => `doctor ${at}`)
  const waiting: Array<Waiting> = []
  for (let at = start - 14 * DAY; at < end; at += (7 * DAY) / assumed.joins) {
    const mornings = random() < 0.3
    waiting.push({
      since: at,
      need: random() < 0.1 ? 0 : random() < 0.3 ? 1 : 2,
      doctor_uids: random() < 0.5 ? [] : [doctors[Math.floor(random() * DOCTORS)] ?? ""],
      from: at,
      to: at + (14 + random() * 60) * DAY,
      weekdays: random() < 0.4 ? [Math.floor(random() * 5), Math.floor(random() * 5)] : [],
      times: mornings ? [{ from: 480, to: 720 }] : [],
      done: false
    })
  }
  let [cancelled, refilled] = [0, 0]
  /** Whether the freed time is booked again, from `now` on. */
  const isRefilled = (doctor: string, slot: number, from: number): boolean => {
    let now = from
    const asked = new Set<Waiting>()
    const next = () =>
      waiting
        .filter((one) => one.since <= now && !one.done && !asked.has(one))
        .filter((one) => fits(one, null, { uid: doctor, timezone: ZONE }, slot, now))
        .sort((a, b) => a.need - b.need || a.since - b.since)
    while (withList) {
      const near = isNear(slot, now)
      const some = next().slice(0, near ? AT_ONCE : 1)
      const [first] = some
      if (first === undefined || slot <= now) break
      const { expires_at, sent_at } = termsOf(slot, 60, ZONE, now)
      for (const one of some) asked.add(one)
      const answers = some.map((one) => ({ one, answer: random(), at: sent_at + random() * (expires_at - sent_at) }))
      const taker = answers.filter(({ answer }) => answer < assumed.accepts).toSorted((a, b) => a.at - b.at)[0]
      if (taker !== undefined && taker.at < slot) {
        taker.one.done = true
        return true
      }
      const hasAnswered = answers.every(({ answer }) => answer < assumed.accepts + assumed.declines)
      now = hasAnswered ? Math.max(...answers.map(({ at }) => at)) : expires_at
    }
    for (; now < slot - HOUR; now += HOUR) if (random() < lookedUp(assumed.found, (slot - now) / DAY)) return true
    return false
  }
  for (let day = 0; day < WEEKS * 7; day++) {
    if (day % 7 > 4) continue
    for (const doctor of doctors)
      for (let at = 0; at < SLOTS; at++) {
        const slot = start + day * DAY + 7 * HOUR + at * SLOT_MINUTES * 60
        if (random() >= share) continue
        cancelled++
        const [pick, jitter] = [random(), random()]
        const [days] = assumed.lead.find(([, until]) => until >= pick) ?? [14]
        if (isRefilled(doctor, slot, slot - days * DAY * (0.5 + jitter))) refilled++
      }
  }
  return { cancelled, refilled }
}

console.log("| cancelled | times a week | refilled without | refilled with | minutes a week more |")
console.log("| --- | --- | --- | --- | --- |")
for (const share of assumed.cancelled) {
  const [without, withList] = [simulate(share, false), simulate(share, true)]
  const percent = ({ cancelled, refilled }: typeof without) => `${Math.round((100 * refilled) / cancelled)} %`
  const more = ((withList.refilled - without.refilled) * SLOT_MINUTES) / WEEKS
  console.log(
    `| ${share * 100} % | ${Math.round(without.cancelled / WEEKS)} | ${percent(without)} | ${percent(withList)} | ${Math.round(more)} |`
  )
}
