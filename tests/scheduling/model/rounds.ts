/** Rounds of concurrent clients, and the invariants after each round. */
import { expect } from "bun:test"
import fc from "fast-check"
import { type Clients, customers, type Row } from "./clients.ts"
import { linearise } from "./linearise.ts"
import { type Model, type Operation, overlap, statusAt } from "./model.ts"

/** A client's intended operation, before its appointment and session are chosen. */
interface Intent {
  readonly kind: "hold" | "session_hold" | "confirm" | "cancel" | "rebook" | "open" | "complete"
  readonly pick: number
  readonly customer: number
  readonly doctor: number
  readonly slot: number
  readonly minutes: 20 | 30
  readonly by: "owner" | "stranger" | "key" | "management"
}

const intent: fc.Arbitrary<Intent> = fc.record({
  kind: fc.oneof(
    { weight: 4, arbitrary: fc.constant("hold" as const) },
    { weight: 5, arbitrary: fc.constant("session_hold" as const) },
    { weight: 8, arbitrary: fc.constant("confirm" as const) },
    { weight: 4, arbitrary: fc.constant("cancel" as const) },
    { weight: 6, arbitrary: fc.constant("rebook" as const) },
    { weight: 3, arbitrary: fc.constant("open" as const) },
    { weight: 1, arbitrary: fc.constant("complete" as const) }
  ),
  pick: fc.nat(7),
  customer: fc.nat(customers.length - 1),
  doctor: fc.nat(1),
  slot: fc.nat(7),
  minutes: fc.constantFrom(20, 30),
  by: fc.constantFrom("owner", "owner", "stranger", "key", "management")
})

export interface State {
  model: Model
  steps: number
}

export interface Real {
  readonly clients: Clients
  readonly firstSlot: number
}

/** Recent appointments are picked more often, since conflicts happen there. */
const recent = <A>(all: Iterable<A>, pick: number): A | undefined => [...all].at(-1 - pick)

const operationOf = (model: Model, { firstSlot }: Real, wish: Intent): Operation | undefined => {
  const { doctor, minutes, by } = wish
  // Few times, so that clients conflict; the last is on no grid.
  const start = firstSlot + (wish.slot === 7 ? 600 : (wish.slot % 4) * minutes * 60)
  if (wish.kind === "hold")
    return { kind: "hold", by: { customer: customers[wish.customer] ?? "anna" }, doctor, minutes, start }
  if (wish.kind === "session_hold") {
    const session = recent(model.sessions.keys(), wish.pick)
    return session === undefined ? undefined : { kind: "hold", by: { session }, doctor, minutes, start }
  }
  const uid = recent(model.appointments.keys(), wish.pick)
  if (uid === undefined) return undefined
  if (wish.kind === "cancel") return { kind: "cancel", uid, by }
  if (wish.kind === "rebook") return { kind: "rebook", uid, by: by === "management" ? "key" : by, doctor, start }
  return { kind: wish.kind, uid }
}

const expectNoOverlap = (model: Model, now: number) => {
  const live = [...model.appointments.values()].filter((one) => ["held", "confirmed"].includes(statusAt(one, now)))
  for (const one of live)
    for (const other of live)
      if (one.uid !== other.uid && one.group !== other.group) expect(overlap(one, other)).toBe(false)
}

const same = (model: Model, rows: ReadonlyArray<Row>, doctors: ReadonlyArray<string>, now: number) =>
  rows.length === model.appointments.size &&
  rows.every((row) => {
    const one = model.appointments.get(row.uid)
    return (
      one !== undefined &&
      row.status === statusAt(one, now) &&
      row.doctor_uid === doctors[one.doctor] &&
      row.start_date === one.start &&
      row.end_date === one.start + one.minutes * 60 &&
      (row.previous_meeting_uid === null || row.previous_meeting_uid === one.replaces)
    )
  })

/** Concurrent clients: the responses and the stored state must be those of some sequential order of the requests. */
export class Round implements fc.AsyncCommand<State, Real> {
  constructor(readonly wishes: ReadonlyArray<Intent>) {}
  check = () => true
  toString = () => `Round(${JSON.stringify(this.wishes)})`
  async run(state: State, real: Real) {
    const { clients } = real
    const operations = this.wishes.flatMap((wish) => operationOf(state.model, real, wish) ?? [])
    const before = await clients.now()
    const done = await Promise.all(
      operations.map(async (operation) => ({ operation, reply: await clients.ask(state.model, operation) }))
    )
    const after = await clients.now()
    const rows = await clients.rows(after)
    const moments = Array.from({ length: after - before + 1 }, (_, second) => before + second)
    const found = linearise(state.model, done, moments, (model) => same(model, rows, clients.doctors, after))
    if (found === undefined)
      throw new Error(
        `no order explains ${JSON.stringify({ done, moments, before: [...state.model.appointments.values()], rows })}`
      )
    expectNoOverlap(found, after)
    state.model = found
    state.steps += done.length
  }
}

/** The model with a new booking session of each customer. */
export const withSessions = async (model: Model, { clients, firstSlot }: Real): Promise<Model> => {
  const sessions = new Map(model.sessions)
  for (const customer of customers) {
    const { uid: code = "", expires = 0 } = await clients.openSession(customer, null, firstSlot)
    sessions.set(code, { code, customer, replaces: null, expires })
  }
  return { ...model, sessions }
}

/** Advances the time, in which sessions expire: each customer opens another one. */
export class Wait implements fc.AsyncCommand<State, Real> {
  constructor(readonly seconds: number) {}
  check = () => true
  toString = () => `Wait(${this.seconds})`
  async run(state: State, real: Real) {
    await real.clients.advance(this.seconds)
    state.model = await withSessions(state.model, real)
  }
}

export const rounds = fc.commands(
  [
    fc.array(intent, { minLength: 1, maxLength: 4 }).map((wishes) => new Round(wishes)),
    fc.array(intent, { minLength: 2, maxLength: 4 }).map((wishes) => new Round(wishes)),
    fc.array(intent, { minLength: 3, maxLength: 5 }).map((wishes) => new Round(wishes)),
    fc
      .oneof(
        { weight: 6, arbitrary: fc.integer({ min: 100, max: 500 }) },
        { weight: 6, arbitrary: fc.integer({ min: 500, max: 900 }) },
        { weight: 1, arbitrary: fc.integer({ min: 2000, max: 90_000 }) }
      )
      .map((seconds) => new Wait(seconds))
  ],
  { maxCommands: 90, size: "max" }
)
