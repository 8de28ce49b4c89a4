import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { statusOf } from "../../../src/http/problems.ts"
import type { DoctorUid } from "../../../src/schemas/ids.ts"
import {
  AppointmentStatus,
  type AppointmentTrigger,
  transition
} from "../../../src/schemas/scheduling/AppointmentStates.ts"
import { ActionLinks } from "../../../src/services/scheduling/appointments/ActionLinks.ts"
import { OverdueAppointments } from "../../../src/services/scheduling/appointments/OverdueAppointments.ts"
import { HOUR, inDays, makePractice, type Practice } from "../../support/practice.ts"
import { eventsOf, stored } from "../../support/records.ts"
import { type Services, sandboxLayers } from "../../support/server.ts"

const layers = sandboxLayers()
const { test } = layers
const statuses = AppointmentStatus.literals

const row = (uid: string) => Effect.promise(() => stored(layers.current, uid))
const events = (uid: string) => Effect.promise(() => eventsOf(layers.current, uid))
const advance = (seconds: number) => Effect.promise(() => layers.current.advance(seconds))
const anna = Effect.fnUntraced(function* (options: Parameters<typeof makePractice>[0] = {}) {
  const practice = yield* makePractice(options)
  return { ...practice, patient_uid: (yield* practice.customer("anna")).patient_uid }
})

/** A state of a way: its own doctor, and that of a new time. */
interface Cell {
  readonly doctor: DoctorUid
  readonly other: DoctorUid | undefined
}
interface Way {
  readonly name: string
  readonly trigger: AppointmentTrigger
  /** Hours from now at which the appointment starts. */
  readonly starts?: number
  readonly take: (practice: Practice, uid: string, cell: Cell) => Effect.Effect<unknown, unknown, Services>
}

const finishing = (trigger: "complete" | "no_show"): ReadonlyArray<Way> => [
  { name: `${trigger} by key`, trigger, starts: -1, take: ({ finish }, uid) => finish(uid, trigger) },
  {
    name: `${trigger} by doctor`,
    trigger,
    starts: -1,
    take: ({ finish, asDoctor }, uid, { doctor }) => finish(uid, trigger, asDoctor(doctor))
  }
]

/** Every caller or job that applies each trigger. */
const ways: ReadonlyArray<Way> = [
  { name: "confirm by key", trigger: "confirm", take: ({ confirmByKey }, uid) => confirmByKey(uid) },
  { name: "cancel by key", trigger: "cancel", take: ({ cancel }, uid) => cancel(uid) },
  {
    name: "cancel by patient",
    trigger: "cancel",
    take: ({ cancel, asCustomer }, uid) => Effect.flatMap(asCustomer("anna"), (by) => cancel(uid, by))
  },
  {
    name: "cancel by link",
    trigger: "cancel",
    take: ({ cancelLink }, uid) =>
      Effect.flatMap(cancelLink(uid), ({ code }) => Effect.flatMap(ActionLinks, (_) => _.cancel(code, null)))
  },
  { name: "cancel by admin", trigger: "cancel", take: ({ cancel, asAdmin }, uid) => cancel(uid, asAdmin) },
  {
    name: "rebook by patient",
    trigger: "rebook",
    take: ({ rebook, asCustomer }, uid, { other }) =>
      Effect.flatMap(asCustomer("anna"), (by) =>
        rebook(uid, { new_start_date: inDays(20, 8), new_doctor_uid: other }, by)
      )
  },
  {
    name: "rebook by key",
    trigger: "rebook",
    take: ({ rebook }, uid, { other }) => rebook(uid, { new_start_date: inDays(20, 9), new_doctor_uid: other })
  },
  ...finishing("complete"),
  ...finishing("no_show"),
  // of this hour, so that the join window is open
  { name: "reopen by key", trigger: "reopen", starts: 0, take: ({ reopen }, uid) => reopen(uid) },
  {
    name: "reopen by doctor",
    trigger: "reopen",
    starts: 0,
    take: ({ reopen, asDoctor }, uid, { doctor }) => reopen(uid, asDoctor(doctor))
  }
]

describe("every state, through", () => {
  for (const { name, trigger, starts = 48, take } of ways)
    test(name, function* () {
      const practice = yield* anna({ doctors: statuses.length })
      const start_date = inDays(0, new Date().getUTCHours() + starts)
      for (const [at, doctor] of practice.doctors.entries()) {
        const status = statuses[at] as AppointmentStatus
        const uid = yield* practice.place(practice.patient_uid, { status, start_date, fields: { doctor_uid: doctor } })
        const before = yield* row(uid)
        const done = yield* Effect.either(take(practice, uid, { doctor, other: practice.doctors.at(at - 1) }))
        const after = yield* row(uid)
        const to = transition(status, trigger)
        if (to === "refused") {
          const refusal = done._tag === "Left" ? statusOf(done.left) : "taken"
          expect([status, refusal, after, yield* events(uid)]).toEqual([status, 409, before, []])
        } else expect([status, done._tag, after.status]).toEqual([status, "Right", to])
      }
    })
})

describe("reopening", () => {
  test("is refused after ten minutes, and once the join window is closed", function* () {
    const { place, patient_uid, finish, reopen } = yield* anna()
    const uid = yield* place(patient_uid, { status: "confirmed", start_date: inDays(0, new Date().getUTCHours()) })
    yield* finish(uid, "no_show")
    yield* advance(599)
    yield* reopen(uid)
    yield* finish(uid, "complete")
    yield* advance(601)
    expect((yield* Effect.flip(reopen(uid)))._tag).toBe("ReopeningTooLate")
    expect(yield* row(uid)).toMatchObject({ status: "completed" })
  })
})

describe("lapsing", () => {
  const expireOverdue = Effect.flatMap(OverdueAppointments, (overdue) => overdue.expireHolds())

  test("every state, once a hold's lifetime is over", function* () {
    const { place, patient_uid } = yield* anna()
    const uids = yield* Effect.forEach(statuses, (status, at) =>
      place(patient_uid, { status, start_date: inDays(30 + at) })
    )
    const expired = Effect.zipRight(
      expireOverdue,
      Effect.forEach(uids, (uid) => Effect.map(row(uid), ({ status }) => status))
    )
    expect(yield* expired).toEqual([...statuses])
    yield* advance(601)
    const after = statuses.map((status) => [status, transition(status, "expire")] as const)
    expect(yield* expired).toEqual(after.map(([status, to]) => (to === "refused" ? status : to)))
  })

  test("an expiry that is not stored yet counts already: the hold can be confirmed, but not cancelled", function* () {
    const { place, patient_uid, cancel, confirmByKey } = yield* anna({ type: { hold_ttl_seconds: 1 } })
    const uid = yield* place(patient_uid, { status: "held", start_date: inDays(40) })
    yield* advance(HOUR)
    expect(yield* row(uid)).toMatchObject({ status: "held" })
    expect(statusOf(yield* Effect.flip(cancel(uid)))).toBe(409)
    yield* confirmByKey(uid)
  })
})

describe("finishing", () => {
  test("is refused before the start", function* () {
    const { place, patient_uid, finish } = yield* anna()
    const uid = yield* place(patient_uid, { status: "confirmed", start_date: inDays(50) })
    expect((yield* Effect.flip(finish(uid, "complete")))._tag).toBe("AppointmentNotStarted")
    expect(yield* row(uid)).toMatchObject({ status: "confirmed" })
  })

  test("makes an event with the change and its actor", function* () {
    const { place, patient_uid, finish, asDoctor, doctor } = yield* anna()
    const start_date = inDays(0, new Date().getUTCHours() - 1)
    const uid = yield* place(patient_uid, { status: "confirmed", start_date })
    expect(yield* finish(uid, "no_show", asDoctor(doctor))).toMatchObject({ uid, status: "no_show" })
    const actor = { kind: "doctor", uid: doctor }
    expect(yield* events(uid)).toMatchObject([{ data: { change: "no_show", actor } }])
  })
})
