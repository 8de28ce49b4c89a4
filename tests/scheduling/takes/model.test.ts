/** Random worlds of doctors, rooms, requirements, buffers, limits and groups: the service agrees with a plain second implementation. */
import { expect, test } from "bun:test"
import { Effect } from "effect"
import { UnixSeconds } from "../../../src/schemas/fields.ts"
import { AppointmentUid } from "../../../src/schemas/ids.ts"
import { BookingRepo } from "../../../src/services/scheduling/booking/BookingRepo.ts"
import { numbersFrom } from "../../support/numbers.ts"
import { CONSULTATION, DAY, makePractice, random } from "../../support/practice.ts"
import { sized } from "../../support/scale.ts"
import { type Services, sandboxLayers } from "../../support/server.ts"
import {
  type Appointment,
  type Doctor,
  isCandidate,
  isLive,
  regains,
  type Type,
  takes,
  type Units,
  type World
} from "./naive.ts"

const layers = sandboxLayers()
const [WORLDS, STEPS] = [sized(6, 500), sized(40, 200)]

const run = async (seed: number) => {
  const below = numbersFrom(seed)
  const oneOf = <A>(all: ReadonlyArray<A>) => all[below(all.length)] as A // never empty
  const some = <A>(all: ReadonlyArray<A>) => all.filter(() => below(3) > 0)
  const scene = await layers.current.run(makePractice({ doctors: 2 + below(3), type: { active: false } }))
  const { organisation_uid } = scene
  const rooms = Array.from({ length: 1 + below(4) }, () => random("res"))
  const doctors = scene.doctors.map((uid): Doctor => {
    return {
      uid,
      buffer: oneOf([0, 0, 5, 15]),
      limits: below(4) === 0 ? [{ per: oneOf(["day", "week"] as const), max: 2 + below(4) }] : []
    }
  })
  const types = Array.from({ length: 1 + below(3) }, (): Type => {
    const needs = [
      { kind: "room" as const, uids: some(rooms) },
      { kind: "doctor" as const, uids: some(scene.doctors) },
      { kind: "room" as const, uids: some(rooms) }
    ].filter(({ uids }) => uids.length > 0 && below(2) === 0)
    const limits = [
      { per: oneOf(["day", "week"] as const), max: 1 + below(4), scope: oneOf(["doctor", "organisation"] as const) }
    ]
    return {
      uid: random("aty"),
      minutes: oneOf([20, 30, 45]),
      before: oneOf([0, 0, 10]),
      after: oneOf([0, 0, 5, 20]),
      step: oneOf([null, null, 10, 15]),
      seats: oneOf([1, 1, 1, 2, 3]),
      needs: needs.map((one) => ({ ...one, count: 1 + below(Math.min(2, one.uids.length)) })),
      limits: below(3) === 0 ? limits : []
    }
  })
  const patients = Array.from({ length: 3 }, () => random("pat"))
  const name = { first_name: "A", last_name: "B" }
  const provisioning = scene.provision({
    resources: rooms.map((uid) => ({ uid, organisation_uid, kind: "room", name: uid })),
    patients: patients.map((uid) => ({
      uid,
      organisation_uid,
      shop_uid: scene.shop_uid,
      shop_customer_id: uid,
      profile: name
    })),
    doctors: doctors.map(({ uid, limits }) => ({ uid, organisation_uid, display_name: uid, limits })),
    appointment_types: types.map((type) => ({
      uid: type.uid,
      organisation_uid,
      name: type.uid,
      ...CONSULTATION,
      rebooking_mode: "any_doctor_same_organisation",
      duration_minutes: type.minutes,
      buffer_before_minutes: type.before,
      buffer_after_minutes: type.after,
      slot_step_minutes: type.step,
      seats: type.seats,
      requirements: type.needs.map(({ kind, uids, count }) =>
        kind === "room" ? { resource_uids: uids, count } : { doctor_uids: uids, count }
      ),
      limits: type.limits
    }))
  })
  await layers.current.run(provisioning)
  await layers.current.sql`UPDATE availability_rules SET start_time = 480, end_time = 1080
    WHERE organisation_uid = ${organisation_uid}`
  for (const { uid, buffer } of doctors)
    await layers.current.sql`UPDATE availability_rules SET buffer_minutes = ${buffer} WHERE doctor_uid = ${uid}`

  let world: World = { doctors, types, appointments: [] }
  let now = await layers.current.now()
  const firstDay = Math.floor(now / DAY) + 2
  /** The record that the request makes, and what it takes; or its refusal. */
  const asked = async <E extends { readonly _tag: string }>(request: Effect.Effect<string, E, Services>) => {
    const recorded = Effect.flatMap(request, (uid) =>
      Effect.flatMap(BookingRepo, (repo) =>
        repo.find(organisation_uid, AppointmentUid.make(uid), UnixSeconds.make(now))
      )
    )
    const done = await layers.current.run(Effect.either(recorded))
    const kind = done._tag === "Left" ? done.left._tag : "taken"
    answered.set(kind, (answered.get(kind) ?? 0) + 1)
    if (done._tag === "Left") return { found: kind }
    const { resource_uids: rooms, further_doctor_uids: further } = done.right
    return { found: { rooms, further }, record: done.right }
  }

  const put = (one: Appointment) => {
    world = { ...world, appointments: [...world.appointments.filter(({ uid }) => uid !== one.uid), one] }
  }
  /** How often each answer was given. */
  const answered = new Map<string, number>()
  const wanted = () => {
    const [doctor, type] = [oneOf(doctors), oneOf(types)]
    const grid = (type.step ?? type.minutes + doctor.buffer) * 60
    const start = (firstDay + below(2)) * DAY + 8 * 3600 + below(12) * (below(8) === 0 ? 300 : grid)
    return { doctor, type, start, end: start + type.minutes * 60 }
  }
  const outcome = (units: Units | undefined, offered: boolean) =>
    !offered ? "SlotNotOffered" : units === undefined ? "SlotTaken" : { rooms: units.rooms, further: units.further }

  /** Holds or books, as both say. */
  const take = async (status: "held" | "confirmed", moved?: Appointment) => {
    const want = wanted()
    const patient = moved?.patient ?? oneOf(patients)
    const units = takes(world, { ...want, patient, now, moved, kept: moved })
    const expected = outcome(units, isCandidate(want.doctor, want.type, want.start, now))
    const on = { doctor_uid: want.doctor.uid, appointment_type_uid: want.type.uid }
    const slot = { ...on, start_date: want.start, shop_customer_id: patient }
    const to = {
      new_doctor_uid: on.doctor_uid,
      appointment_type_uid: on.appointment_type_uid,
      new_start_date: want.start
    }
    const request = () => {
      if (moved !== undefined) return Effect.map(scene.rebook(moved.uid, to), (answer) => answer.appointment_uid)
      if (status === "held") return Effect.map(scene.holdByKey(slot), (answer) => answer.hold_uid)
      return Effect.map(scene.bookByKey(slot), (answer) => answer.uid)
    }
    const { found, record } = await asked<{ readonly _tag: string }>(request())
    expect<object>({ seed, want, status, moved, found }).toEqual({ seed, want, status, moved, found: expected })
    if (record === undefined || units === undefined) return
    if (moved !== undefined) put({ ...moved, status: "cancelled" })
    const { uid, hold_expires_at: expires } = record
    put({
      ...want,
      ...units,
      doctor: want.doctor.uid,
      buffer: want.doctor.buffer,
      patient,
      uid,
      status,
      expires: expires ?? Number.POSITIVE_INFINITY
    })
  }

  const confirm = async (held: Appointment) => {
    const units = isLive(held, now) ? held : regains(world, held, now)
    const { found } = await asked(Effect.as(scene.confirmByKey(held.uid), held.uid))
    expect<object>({ seed, held, found }).toEqual({ seed, held, found: outcome(units, true) })
    // of a group the units are those of its first seat, whose patient is another
    if (units !== undefined) put({ ...held, rooms: units.rooms, further: units.further, status: "confirmed" })
  }

  const search = async () => {
    const type = oneOf(types)
    const from = (firstDay + below(2)) * DAY
    const range = { appointment_type_uid: type.uid, from, to: from + DAY }
    const slots = await layers.current.run(scene.search(range))
    const found = slots.map(({ start_date, doctor_uid }) => `${start_date} ${doctor_uid}`)
    const expected = doctors.flatMap((doctor) =>
      Array.from({ length: 288 }, (_, at) => from + at * 300).flatMap((start) => {
        const want = { doctor, type, start, end: start + type.minutes * 60, patient: "nobody", now }
        return isCandidate(doctor, type, start, now) && takes(world, want) !== undefined
          ? [`${start} ${doctor.uid}`]
          : []
      })
    )
    expect({ seed, type, found: found.toSorted() }).toEqual({ seed, type, found: expected.toSorted() })
  }

  /** The sandbox's clock runs on: no hold may lapse while an answer is compared. */
  const settle = async () => {
    now = await layers.current.now()
    const isNearEnd = ({ status, expires }: Appointment) => status === "held" && Math.abs(expires - now) <= 3
    while (world.appointments.some(isNearEnd)) {
      await layers.current.advance(4)
      now = await layers.current.now()
    }
  }

  for (let step = 0; step < STEPS; step++) {
    await settle()
    const confirmed = world.appointments.filter(({ status }) => status === "confirmed")
    const held = world.appointments.filter(({ status }) => status === "held")
    const act = below(20)
    if (act < 5) await take("confirmed")
    else if (act < 9) await take("held")
    else if (act < 12 && held.length > 0) await confirm(oneOf(held))
    else if (act < 14 && confirmed.length > 0) await take("confirmed", oneOf(confirmed))
    else if (act < 15 && confirmed.length > 0) {
      const one = oneOf(confirmed)
      await layers.current.run(scene.cancel(one.uid))
      put({ ...one, status: "cancelled" })
    } else if (act === 15) {
      // other buffers from now on: what is booked keeps its own
      const at = below(doctors.length)
      const changed = { ...(doctors[at] as Doctor), buffer: oneOf([0, 5, 15, 30]) }
      doctors[at] = changed
      await layers.current
        .sql`UPDATE availability_rules SET buffer_minutes = ${changed.buffer} WHERE doctor_uid = ${changed.uid}`
    } else if (act === 16) {
      await layers.current.advance(300 + below(600))
      now = await layers.current.now()
    } else await search()
  }
  return answered
}

test("every answered search, hold, booking, move and late confirmation is that of the plain implementation", async () => {
  const first = Number(process.env.MODEL_SEED ?? 1)
  const all = new Map<string, number>()
  for (let seed = first; seed < first + WORLDS; seed++)
    for (const [kind, times] of await run(seed)) all.set(kind, (all.get(kind) ?? 0) + times)
  // all kinds of answers are compared
  expect([...all.keys()].toSorted()).toEqual(["SlotNotOffered", "SlotTaken", "taken"])
  for (const times of all.values()) expect(times).toBeGreaterThan(WORLDS / 2)
}, 3_600_000)
