/** Random lives of a waiting list: who is offered which time, and what becomes of everybody, is that of a plain second implementation. */

import { expect, test } from "bun:test"
import { Effect } from "effect"
import { WaitlistEntryUid } from "../../../src/capabilities/waiting-list/schemas/Waitlist.ts"
import { Entries } from "../../../src/capabilities/waiting-list/services/Entries.ts"
import { Offers } from "../../../src/capabilities/waiting-list/services/Offers.ts"
import { DoctorUid, PatientUid } from "../../../src/schemas/ids.ts"
import { numbersFrom } from "../../support/numbers.ts"
import { DAY, HOUR, makePractice, random } from "../../support/practice.ts"
import { sized } from "../../support/scale.ts"
import { sandboxLayers } from "../../support/server.ts"

const layers = sandboxLayers()
const [WORLDS, STEPS] = [sized(3, 500), sized(40, 100)]
const needs = ["routine", "soon", "urgent"] as const
const LAST = ["urgent", "soon", "routine"] as const

interface Entry {
  readonly uid: string
  readonly patient: string
  readonly age: number
  readonly doctors: ReadonlyArray<string>
  readonly weekdays: ReadonlyArray<number>
  /** The first minute of the day, and the one after the last. */
  readonly time: { readonly from: number; readonly to: number }
  need: (typeof needs)[number]
  status: "waiting" | "offered" | "paused" | "booked" | "ended"
  unanswered: number
  made: number
}

/** A time of a doctor: booked by somebody, on offer to an entry, or free. */
interface Slot {
  readonly doctor: string
  readonly start: number
  /** Entries that were offered it since it became free. */
  asked: Set<Entry>
  appointment: string | undefined
  offered: Entry | undefined
}

const run = async (seed: number) => {
  const below = numbersFrom(seed * 104_729)
  const oneOf = <A>(all: ReadonlyArray<A>) => all[below(all.length)] as A // never empty
  const does = layers.current.run
  const practice = await does(makePractice({ doctors: 2 }))
  const owner = practice.organisation_uid
  const caller = practice.asKey
  const now = await layers.current.now()
  await layers.current.advance(Math.ceil((now - 9 * HOUR) / DAY) * DAY + 9 * HOUR - now)
  /** Moves the clock, and ends and makes the offers that are then due. */
  const advance = async (seconds: number) => {
    await layers.current.advance(seconds)
    await does(Effect.flatMap(Offers, (offers) => offers.runDue()))
  }
  const today = Math.floor((await layers.current.now()) / DAY)

  // no two of them begin at the same time: then the order in which freed times are offered is theirs
  const slots = practice.doctors.flatMap((doctor, d) =>
    Array.from({ length: 5 }, (_, at): Slot => {
      const start = (today + 60 + at) * DAY + (9 + ((at * 3) % 9)) * HOUR + d * 20 * 60
      return { doctor, start, asked: new Set(), appointment: undefined, offered: undefined }
    })
  )
  const entries: Array<Entry> = []
  const patients = Array.from({ length: 30 }, () => random("pat"))
  const { organisation_uid, shop_uid } = practice
  await does(
    practice.provision({
      patients: patients.map((uid) => ({ uid, organisation_uid, shop_uid, shop_customer_id: uid, profile: {} }))
    })
  )

  const suits = (entry: Entry, { doctor, start }: Slot) => {
    const date = new Date(start * 1000)
    const minute = date.getUTCHours() * 60 + date.getUTCMinutes()
    return (
      (entry.doctors.length === 0 || entry.doctors.includes(doctor)) &&
      (entry.weekdays.length === 0 || entry.weekdays.includes((date.getUTCDay() + 6) % 7)) &&
      entry.time.from <= minute &&
      minute < entry.time.to
    )
  }
  /** The time is offered to the first who waits, whom it suits, and who was not asked since it became free. */
  const offer = (slot: Slot) => {
    const first = LAST.flatMap((need) =>
      entries.filter((one) => one.need === need).toSorted((a, b) => a.age - b.age)
    ).find((one) => one.status === "waiting" && suits(one, slot) && !slot.asked.has(one))
    if (first === undefined) return
    slot.offered = first
    slot.asked.add(first)
    first.status = "offered"
    first.made++
  }
  const free = (slot: Slot) => {
    slot.appointment = undefined
    slot.asked = new Set()
    offer(slot)
  }
  /** An offer ends without a booking. */
  const giveBack = (slot: Slot) => {
    slot.offered = undefined
    offer(slot)
  }

  const check = async (step: number, act: string) => {
    const rows = await layers.current.query<{ uid: string; status: string; made: number }>(
      "SELECT uid, status, offers_made AS made FROM waitlist_entries WHERE organisation_uid = $1",
      [owner]
    )
    const offers = await layers.current.query<{ doctor: string; start: number; entry: string }>(
      `SELECT doctor_uid AS doctor, extract(epoch FROM start_date)::int AS start, entry_uid AS entry FROM waitlist_offers
        WHERE organisation_uid = $1 AND status = 'offered'`,
      [owner]
    )
    const found = await does(practice.search({ from: (today + 60) * DAY, to: (today + 65) * DAY }))
    const named = (some: ReadonlyArray<{ uid: string; status: string; made: number }>) =>
      some.map(({ uid, status, made }) => `${uid} ${status} ${made}`).toSorted()
    const open = slots.flatMap(({ doctor, start, offered }) =>
      offered === undefined ? [] : [`${doctor} ${start} ${offered.uid}`]
    )
    const isFound = ({ doctor, start }: Slot) =>
      found.some(({ doctor_uid, start_date }) => doctor_uid === doctor && start_date === start)
    const about = { seed, step, act }
    expect({
      ...about,
      entries: named(rows),
      offers: offers.map((one) => `${one.doctor} ${one.start} ${one.entry}`).toSorted(),
      found: slots.filter(isFound)
    }).toEqual({
      ...about,
      entries: named(entries),
      offers: open.toSorted(),
      found: slots.filter(({ appointment, offered }) => appointment === undefined && offered === undefined)
    })
  }

  const book = async (slot: Slot) => {
    const wanted = { patient_uid: patients[0], doctor_uid: slot.doctor, start_date: slot.start }
    slot.appointment = (await does(practice.bookByKey(wanted))).uid
  }
  const codeOf = (slot: Slot) =>
    does(
      Effect.gen(function* () {
        const offers = yield* Offers
        const [row] = yield* Effect.promise(() =>
          layers.current.query<{ uid: string }>(
            "SELECT uid FROM waitlist_offers WHERE organisation_uid = $1 AND status = 'offered' AND entry_uid = $2",
            [owner, slot.offered?.uid]
          )
        )
        const sent = yield* offers.toSend(owner, row?.uid as never)
        return sent._tag === "Some" ? (sent.value.url.split("/").at(-1) as string) : ""
      })
    )
  const patch = (entry: Entry, changes: Parameters<Entries["update"]>[2]) =>
    does(Effect.flatMap(Entries, (all) => all.update(caller, WaitlistEntryUid.make(entry.uid), changes)))

  const acts: Record<string, number> = {}
  for (let step = 0; step < STEPS; step++) {
    const booked = slots.filter(({ appointment }) => appointment !== undefined)
    const open = slots.filter(({ offered }) => offered !== undefined)
    const idle = slots.filter(({ appointment, offered }) => appointment === undefined && offered === undefined)
    const live = entries.filter(({ status }) => status !== "booked" && status !== "ended")
    const turn = below(20)
    let act = "none"
    if (turn < 5 && entries.length < patients.length - 1) {
      act = "wait"
      const patient = patients[entries.length + 1] as string
      const wish = {
        need: oneOf(needs),
        doctor_uids: oneOf([[], [], [practice.doctors[0] as string], [practice.doctors[1] as string]]),
        weekdays: oneOf([[], [], [0, 2, 4], [1, 3, 5, 6]]),
        time: { from: oneOf([0, 0, 600]), to: oneOf([1440, 1440, 720, 900]) }
      }
      const { entry } = await does(
        Effect.flatMap(Entries, (all) =>
          all.create(caller, {
            patient_uid: PatientUid.make(patient),
            appointment_type_uid: practice.type_uid,
            need: wish.need,
            need_reason: null,
            doctor_uids: wish.doctor_uids.map((uid) => DoctorUid.make(uid)),
            weekdays: wish.weekdays,
            times: wish.time.from === 0 && wish.time.to === 1440 ? [] : [wish.time],
            appointment_uid: null
          } as Parameters<Entries["create"]>[1])
        )
      )
      await layers.current.advance(1) // so that ages differ
      entries.push({
        uid: entry.uid,
        patient,
        age: entries.length,
        doctors: wish.doctor_uids,
        weekdays: wish.weekdays,
        time: wish.time,
        need: wish.need,
        status: "waiting",
        unanswered: 0,
        made: 0
      })
    } else if (turn < 8 && idle.length > 0) {
      act = "book"
      await book(oneOf(idle))
    } else if (turn < 12 && booked.length > 0) {
      act = "cancel"
      const slot = oneOf(booked)
      await does(practice.cancel(slot.appointment as string))
      free(slot)
    } else if (turn < 14 && open.length > 0) {
      act = "decline"
      const slot = oneOf(open)
      const entry = slot.offered as Entry
      await does(
        Effect.flatMap(Offers, (offers) =>
          Effect.flatMap(
            Effect.promise(() => codeOf(slot)),
            offers.decline
          )
        )
      )
      entry.unanswered = 0
      if (entry.status === "offered") entry.status = "waiting"
      giveBack(slot)
    } else if (turn === 14 && open.length > 0) {
      act = "accept"
      const slot = oneOf(open)
      const entry = slot.offered as Entry
      const code = await codeOf(slot)
      await does(Effect.flatMap(Offers, (offers) => offers.accept(code)))
      entry.status = "booked"
      slot.offered = undefined
      const [row] = await layers.current.query<{ uid: string }>(
        "SELECT uid FROM appointments WHERE organisation_uid = $1 AND patient_uid = $2 AND status = 'confirmed'",
        [owner, entry.patient]
      )
      slot.appointment = row?.uid
    } else if (turn === 15 && open.length > 0) {
      act = "lapse"
      // all that are open, in one step: two hours, or until the next day
      const second = (await layers.current.now()) % DAY
      await advance(second < 18 * HOUR ? 2 * HOUR + 1 : DAY + 11 * HOUR - second)
      const lapsed = open.toSorted((a, b) => a.start - b.start)
      for (const slot of lapsed) {
        const entry = slot.offered as Entry
        entry.unanswered++
        entry.status = entry.unanswered >= 3 ? "paused" : entry.status === "offered" ? "waiting" : entry.status
        slot.offered = undefined
      }
      for (const slot of lapsed) offer(slot)
    } else if (turn < 18 && live.length > 0) {
      act = "need"
      const entry = oneOf(live)
      const need = oneOf(needs)
      await patch(entry, { need })
      entry.need = need
    } else if (turn === 18 && live.length > 0) {
      act = "goOn"
      const entry = oneOf(live)
      await patch(entry, { status: "waiting" })
      entry.unanswered = 0
      if (entry.status === "paused") entry.status = "waiting"
    } else if (turn === 19 && live.length > 3) {
      act = "end"
      const entry = oneOf(live)
      await patch(entry, { status: "ended" })
      entry.status = "ended"
      const slot = slots.find(({ offered }) => offered === entry)
      if (slot !== undefined) giveBack(slot)
    }
    acts[act] = (acts[act] ?? 0) + 1
    await check(step, act)
  }
  return acts
}

test("every offer, every status, every place in the order and what searches find are the model's; Rules 19.2", async () => {
  const first = Number(process.env.MODEL_SEED ?? 1)
  const all: Record<string, number> = {}
  for (let seed = first; seed < first + WORLDS; seed++)
    for (const [act, times] of Object.entries(await run(seed))) all[act] = (all[act] ?? 0) + times
  const acts = ["wait", "book", "cancel", "decline", "accept", "lapse", "need", "goOn", "end"]
  expect(Object.keys(all)).toEqual(expect.arrayContaining(acts))
}, 3_600_000)
