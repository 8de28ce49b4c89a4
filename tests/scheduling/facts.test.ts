/** Every way of booking and of ending tells each of its facts once, in its transaction, to what capabilities do then. */
import { beforeAll, expect, test } from "bun:test"
import { Statement } from "@effect/sql"
import { Effect } from "effect"
import { Extensions, extension } from "../../src/services/Extensions.ts"
import { OverdueAppointments } from "../../src/services/scheduling/appointments/OverdueAppointments.ts"
import type { BookingConsumer, BookingFact } from "../../src/services/scheduling/booking/bookingFacts.ts"
import { sandboxServer } from "../support/server.ts"
import { DAY, inDays, makeWorld } from "../support/world.ts"

const server = sandboxServer()
const told: Array<readonly [kind: string, fact: BookingFact]> = []
/** Of a consumer whom only what starts before a time concerns. */
const early: Array<BookingFact> = []
let before = 0

beforeAll(() => {
  const consumer = (kind: string): BookingConsumer => ({
    concerns: () => Statement.unsafeFragment("true"),
    run: (facts) => Effect.sync(() => told.push(...facts.map((fact) => [kind, fact] as const))).pipe(Effect.asVoid)
  })
  const on = Object.fromEntries(["taken", "confirmed", "released", "completed"].map((kind) => [kind, consumer(kind)]))
  const earlyOnly: BookingConsumer = {
    concerns: () => Statement.unsafeFragment(`a.start_date < to_timestamp(${before})`),
    run: (facts) => Effect.sync(() => void early.push(...facts))
  }
  const watchingEarly = { taken: earlyOnly, confirmed: earlyOnly, released: earlyOnly }
  const watching = Effect.flatMap(Extensions, ({ having }) =>
    Effect.map(having("on"), (all) =>
      Object.assign(all, { [all.length]: extension({ on }), [all.length + 1]: extension({ on: watchingEarly }) })
    )
  )
  return server.current.run(watching)
})

const scene = async () => {
  const world = await makeWorld(server.current)
  const at = inDays(3, 9)
  const { api, organisation_uid, doctor: doctor_uid, type_uid: appointment_type_uid } = world
  const held = async (start_date = at) => (await world.holdByKey({ start_date })).body.hold_uid as string
  const booked = async (start_date = at) => (await world.bookByKey({ doctor_uid, start_date })).body.uid as string
  const post = (path: string, body: unknown = {}) => api("POST", `/v1/${path}`, body)
  const lapse = (uid: string) =>
    server.current.sql`UPDATE appointments SET hold_expires_at = created_at - interval '1 second' WHERE uid = ${uid}`
  const begun = (uid: string) =>
    server.current
      .sql`UPDATE appointments SET start_date = start_date - interval '30 days', end_date = end_date - interval '30 days'
      WHERE uid = ${uid}`
  const overdue = (work: "expireHolds" | "finish") =>
    server.current.run(Effect.flatMap(OverdueAppointments, (all) => all[work]()))
  const one = { uid: `apt_${appointment_type_uid}`, organisation_uid, doctor_uid, appointment_type_uid }
  const provision = async (status: string) => {
    const patient_uid = await world.patient()
    return world.provision({ appointments: [{ ...one, patient_uid, start_date: at, end_date: at + 1200, status }] })
  }
  const rebooking = async (appointment_uid: string) => {
    const body = { mode: "rebooking", appointment_uid, from: at, to: at + 9 * DAY }
    const token = await world.token()
    const opened = await server.current.api("POST", "/v1/scheduling/booking-sessions", { token, body })
    return opened.body.booking_launch_code as string
  }
  return {
    ...world,
    at,
    held,
    booked,
    post,
    lapse,
    begun,
    overdue,
    provision,
    rebooking,
    day: { from: at, to: at + DAY }
  }
}
type Scene = Awaited<ReturnType<typeof scene>>

const TAKEN = "taken null>held"
const CONFIRMED = "confirmed held>confirmed"
const BOOKED = ["taken null>confirmed", "confirmed null>confirmed"]
const LOST = "released held>cancelled"
const LAPSED = "released held>expired"
const GIVEN_UP = "released confirmed>cancelled"

/** By what happens: what comes before it, the act, and its facts in order. */
const ways: Readonly<
  Record<string, readonly [act: (one: Scene) => Promise<() => Promise<unknown>>, facts: ReadonlyArray<string>]>
> = {
  "a session's hold": [
    async (one) => {
      const code = await one.session()
      return () => one.hold(code, one.at)
    },
    [TAKEN]
  ],
  "a session's second hold": [
    async (one) => {
      const code = await one.session()
      await one.hold(code, one.at)
      return () => one.hold(code, one.at + DAY)
    },
    [LOST, TAKEN]
  ],
  "a session's confirmation": [
    async (one) => {
      const code = await one.session()
      const { body } = await one.hold(code, one.at)
      return () => one.confirm(code, body.hold_uid)
    },
    [CONFIRMED]
  ],
  "a session's booking in one request": [
    async (one) => {
      const code = await one.session()
      const wanted = { doctor_uid: one.doctor, appointment_type_uid: one.type_uid, start_date: one.at }
      return () => one.run(one.practice.book(code, wanted))
    },
    BOOKED
  ],
  "a hold by key": [async (one) => () => one.held(), [TAKEN]],
  "a confirmation by key": [
    async (one) => {
      const uid = await one.held()
      return () => one.post(`scheduling/holds/${uid}/confirm`)
    },
    [CONFIRMED]
  ],
  "a confirmation again": [
    async (one) => {
      const uid = await one.held()
      await one.post(`scheduling/holds/${uid}/confirm`)
      return () => one.post(`scheduling/holds/${uid}/confirm`)
    },
    []
  ],
  "a booking by key": [async (one) => () => one.booked(), BOOKED],
  "a refused booking": [
    async (one) => {
      await one.booked()
      return () => one.booked()
    },
    []
  ],
  "a booking over a hold that has expired": [
    async (one) => {
      await one.lapse(await one.held())
      return () => one.booked()
    },
    [LAPSED, ...BOOKED]
  ],
  "a late confirmation": [
    async (one) => {
      const uid = await one.held()
      await one.lapse(uid)
      return () => one.post(`scheduling/holds/${uid}/confirm`)
    },
    // its own expiry is stored first
    [LAPSED, "taken expired>confirmed", "confirmed expired>confirmed"]
  ],
  "a late confirmation over another expired hold": [
    async (one) => {
      const uid = await one.held()
      await one.lapse(uid)
      await one.overdue("expireHolds")
      await one.lapse(await one.held())
      return () => one.post(`scheduling/holds/${uid}/confirm`)
    },
    [LAPSED, "taken expired>confirmed", "confirmed expired>confirmed"]
  ],
  "a series": [
    async (one) => {
      const wanted = { appointment_type_uid: one.type_uid, doctor_uid: one.doctor, start_date: one.at }
      const body = { shop_uid: one.shop_uid, shop_customer_id: "customer-1", ...wanted, count: 2, interval_weeks: 1 }
      return () => one.post("management/scheduling/appointment-series", body)
    },
    [...BOOKED, ...BOOKED]
  ],
  "a move": [
    async (one) => {
      const uid = await one.booked()
      const body = { new_start_date: one.at + DAY, new_doctor_uid: one.doctor }
      return () => one.post(`scheduling/appointments/${uid}/rebook`, body)
    },
    [GIVEN_UP, ...BOOKED]
  ],
  "a move by session": [
    async (one) => {
      const code = await one.rebooking(await one.booked())
      const { body } = await one.hold(code, one.at + DAY)
      return () => one.confirm(code, body.hold_uid)
    },
    [GIVEN_UP, CONFIRMED]
  ],
  "a bulk move": [
    async (one) => {
      await one.booked()
      const body = { ...one.day, doctor_uid: one.doctor }
      return () => one.post("management/scheduling/appointments/bulk-move", body)
    },
    [GIVEN_UP, ...BOOKED]
  ],
  "provisioning a hold": [async (one) => () => one.provision("held"), [TAKEN]],
  "provisioning an appointment": [async (one) => () => one.provision("confirmed"), BOOKED],
  "provisioning it again": [
    async (one) => {
      await one.provision("confirmed")
      return () => one.provision("confirmed")
    },
    []
  ],
  "provisioning what is over": [async (one) => () => one.provision("completed"), []],
  "a hold's expiry": [
    async (one) => {
      await one.lapse(await one.held())
      return () => one.overdue("expireHolds")
    },
    [LAPSED]
  ],
  "cancelling a hold": [
    async (one) => {
      const uid = await one.held()
      return () => one.post(`scheduling/appointments/${uid}/cancel`, { reason: null })
    },
    [LOST]
  ],
  "cancelling an appointment": [
    async (one) => {
      const uid = await one.booked()
      return () => one.post(`scheduling/appointments/${uid}/cancel`, { reason: null })
    },
    [GIVEN_UP]
  ],
  "cancelling an appointment that a hold is to replace": [
    async (one) => {
      const uid = await one.booked()
      await one.hold(await one.rebooking(uid), one.at + DAY)
      return () => one.post(`scheduling/appointments/${uid}/cancel`, { reason: null })
    },
    [GIVEN_UP, LOST]
  ],
  "cancelling all of a time": [
    async (one) => {
      await one.booked()
      await one.booked(one.at + 1200)
      return () => one.post("management/scheduling/appointments/bulk-cancel", { ...one.day, reason: "ill" })
    },
    [GIVEN_UP, GIVEN_UP]
  ],
  "an erasure": [
    async (one) => {
      await one.booked()
      const { body } = await one.api("GET", "/v1/management/patients?shop_customer_id=customer-1")
      return () => one.post(`management/patients/${body.data[0].uid}/erase`, { reason: "Asked" })
    },
    [GIVEN_UP]
  ],
  ...Object.fromEntries(
    (["complete", "no-show"] as const).map((how) => [
      how,
      [
        async (one: Scene) => {
          const uid = await one.booked()
          await one.begun(uid)
          return () => one.post(`management/scheduling/appointments/${uid}/${how}`)
        },
        [`completed confirmed>${how === "complete" ? "completed" : "no_show"}`]
      ]
    ])
  ),
  "the end of the join window": [
    async (one) => {
      await one.begun(await one.booked())
      return () => one.overdue("finish")
    },
    ["completed confirmed>no_show"]
  ]
}

for (const [way, [act, facts]] of Object.entries(ways))
  test(`${way} tells its facts once`, async () => {
    const one = await scene()
    const perform = await act(one)
    const before = told.length
    await perform()
    const own = told.slice(before).filter(([, fact]) => fact.organisation_uid === one.organisation_uid)
    expect(own.map(([kind, { previous, status }]) => `${kind} ${previous}>${status}`)).toEqual([...facts])
    for (const [, fact] of own) {
      const { doctor_uid, start_date, end_date, appointment_type_uid, further_doctor_uids, resource_uids } = fact
      expect(one.doctors).toContain(doctor_uid)
      expect([end_date - start_date, appointment_type_uid, further_doctor_uids, resource_uids]).toEqual([
        1200,
        one.type_uid,
        [],
        []
      ])
    }
  })

test("a consumer is told only of those that it concerns", async () => {
  const { held, booked, post, at, day } = await scene()
  before = at + 1
  const first = await booked()
  const second = await held(at + 1200)
  await post(`scheduling/holds/${second}/confirm`)
  await post("management/scheduling/appointments/bulk-cancel", { ...day, reason: "ill" })
  expect(early.map(({ uid, status }) => [uid, status])).toEqual([
    [first, "confirmed"], // taken
    [first, "confirmed"],
    [first, "cancelled"]
  ])
})
