/** Random worlds of doctors, rooms, requirements, buffers, limits and groups: the service agrees with a plain second implementation. */
import { expect, test } from "bun:test"
import { Effect } from "effect"
import { UnixSeconds } from "../../../src/schemas/fields.ts"
import { AppointmentTypeUid, AppointmentUid, DoctorUid, PatientUid } from "../../../src/schemas/ids.ts"
import { Appointments } from "../../../src/services/scheduling/appointments/Appointments.ts"
import { BookingRepo } from "../../../src/services/scheduling/booking/BookingRepo.ts"
import { HoldManager } from "../../../src/services/scheduling/booking/HoldManager.ts"
import { SlotEngine } from "../../../src/services/scheduling/booking/SlotEngine.ts"
import { numbersFrom } from "../../support/numbers.ts"
import { CONSULTATION, DAY, makePractice, random } from "../../support/practice.ts"
import { sized } from "../../support/scale.ts"
import { type Services, sandboxLayers } from "../../support/server.ts"
import {
  type Appointment,
  type Doctor,
  isCandidate,
  isCovered,
  isLive,
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
  const booker = (patient: string, replaces: string | null = null) => ({
    organisation_uid,
    patient_uid: PatientUid.make(patient),
    actor: { kind: "api_key" as const, uid: "key" },
    session_uid: null,
    replaces_appointment_uid: replaces === null ? null : AppointmentUid.make(replaces)
  })
  const asked = <A, E>(program: Effect.Effect<A, E, Services>) => layers.current.run(Effect.either(program))
  const record = (uid: string) =>
    Effect.flatMap(BookingRepo, (repo) => repo.find(organisation_uid, AppointmentUid.make(uid), UnixSeconds.make(now)))

  const put = (one: Appointment) => {
    world = { ...world, appointments: [...world.appointments.filter(({ uid }) => uid !== one.uid), one] }
  }
  /** How often each answer was given. */
  const answered = new Map<string, number>()
  const count = (found: unknown) => {
    const kind = typeof found === "string" ? found : "taken"
    answered.set(kind, (answered.get(kind) ?? 0) + 1)
  }
  const wanted = () => {
    const [doctor, type] = [oneOf(doctors), oneOf(types)]
    const grid = (type.step ?? type.minutes + doctor.buffer) * 60
    const start = (firstDay + below(2)) * DAY + 8 * 3600 + below(12) * (below(8) === 0 ? 300 : grid)
    return { doctor, type, start, end: start + type.minutes * 60 }
  }
  const slotOf = ({ doctor, type, start }: ReturnType<typeof wanted>) => ({
    doctor_uid: DoctorUid.make(doctor.uid),
    appointment_type_uid: AppointmentTypeUid.make(type.uid),
    start_date: UnixSeconds.make(start)
  })
  const outcome = (units: Units | undefined, offered: boolean) =>
    !offered ? "SlotNotOffered" : units === undefined ? "SlotTaken" : { rooms: units.rooms, further: units.further }

  /** Holds or books, as both say. */
  const take = async (status: "held" | "confirmed", moved?: Appointment) => {
    const want = wanted()
    const patient = moved?.patient ?? oneOf(patients)
    const units = takes(world, { ...want, patient, now, moved, kept: moved })
    const expected = outcome(units, isCandidate(want.doctor, want.type, want.start, now))
    const who = booker(patient, moved?.uid ?? null)
    const done = await asked(
      Effect.gen(function* () {
        const holds = yield* HoldManager
        const uid =
          status === "held"
            ? (yield* holds.hold(who, slotOf(want))).hold_uid
            : (yield* holds.book(who, slotOf(want))).uid
        return yield* record(uid)
      })
    )
    const found =
      done._tag === "Left"
        ? done.left._tag
        : { rooms: done.right.resource_uids, further: done.right.further_doctor_uids }
    count(found)
    expect<object>({ seed, want, status, moved, found }).toEqual({ seed, want, status, moved, found: expected })
    if (done._tag === "Left" || units === undefined) return
    if (moved !== undefined) put({ ...moved, status: "cancelled" })
    const { uid, hold_expires_at: expires } = done.right
    put({
      ...want,
      ...units,
      doctor: want.doctor.uid,
      patient,
      uid,
      status,
      expires: expires ?? Number.POSITIVE_INFINITY
    })
  }

  const confirm = async (held: Appointment) => {
    const doctor = doctors.find(({ uid }) => uid === held.doctor) as Doctor
    const others = { ...world, appointments: world.appointments.filter((one) => one !== held) }
    const units = isLive(held, now) ? held : takes(others, { ...held, doctor, now, kept: held })
    const isTaken = units === undefined || !isCovered(held.start, held.end)
    const uid = AppointmentUid.make(held.uid)
    const done = await asked(
      Effect.gen(function* () {
        yield* (yield* HoldManager).confirm(booker(held.patient), DoctorUid.make(held.doctor), uid, undefined)
        return yield* record(held.uid)
      })
    )
    const found =
      done._tag === "Left"
        ? done.left._tag
        : { rooms: done.right.resource_uids, further: done.right.further_doctor_uids }
    count(found)
    expect<object>({ seed, held, found }).toEqual({ seed, held, found: outcome(isTaken ? undefined : units, true) })
    // of a group the units are those of its first seat, whose patient is another
    if (!isTaken) put({ ...held, rooms: units.rooms, further: units.further, status: "confirmed" })
  }

  const search = async () => {
    const type = oneOf(types)
    const from = (firstDay + below(2)) * DAY
    const done = await asked(
      Effect.flatMap(SlotEngine, (engine) =>
        engine.find({
          owner: { shop_uid: scene.shop_uid },
          appointment_type_uid: AppointmentTypeUid.make(type.uid),
          from: UnixSeconds.make(from),
          to: UnixSeconds.make(from + DAY)
        })
      )
    )
    if (done._tag === "Left") throw done.left
    const { starts, doctorAt, doctors: all } = done.right
    const found = Array.from(starts, (start, at) => `${start} ${all[doctorAt[at] as number]?.doctor_uid}`)
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
    else if (act < 16 && confirmed.length > 0) {
      const one = oneOf(confirmed)
      const actor = { kind: "api_key" as const, uid: "key" }
      const done = await asked(
        Effect.flatMap(Appointments, (all) =>
          all.cancel({ organisation_uid, actor }, AppointmentUid.make(one.uid), null)
        )
      )
      expect(done._tag).toBe("Right")
      put({ ...one, status: "cancelled" })
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
