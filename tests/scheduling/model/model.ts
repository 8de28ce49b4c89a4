/** The reference model of appointments: pure functions without database and concurrency. */
import type { AppointmentStatus } from "../../../src/schemas/scheduling/AppointmentStates.ts"

export interface Appointment {
  readonly uid: string
  readonly customer: string
  readonly doctor: number
  readonly minutes: number
  readonly start: number
  readonly status: AppointmentStatus
  /** When the hold expires; a confirmed one does not. */
  readonly expires: number
  /** The session that holds it; null if created by API key or by rebooking. */
  readonly session: string | null
  /** The appointment that it replaces. */
  readonly replaces: string | null
  readonly group: string
}

export interface Session {
  readonly code: string
  readonly customer: string
  readonly replaces: string | null
  readonly expires: number
}

export interface Model {
  readonly appointments: ReadonlyMap<string, Appointment>
  readonly sessions: ReadonlyMap<string, Session>
}

/** A session's hold counts towards the session, a key's towards the key. */
export type Bearer = { readonly session: string } | { readonly customer: string }

export type Operation =
  | {
      readonly kind: "hold"
      readonly by: Bearer
      readonly doctor: number
      readonly minutes: number
      readonly start: number
    }
  | { readonly kind: "confirm"; readonly uid: string }
  | { readonly kind: "cancel"; readonly uid: string; readonly by: "owner" | "stranger" | "key" | "management" }
  | {
      readonly kind: "rebook"
      readonly uid: string
      readonly by: "owner" | "stranger" | "key"
      readonly doctor: number
      readonly start: number
    }
  | { readonly kind: "open"; readonly uid: string }
  | { readonly kind: "complete"; readonly uid: string }

/** The response: its status and, for a success, the identifiers and times that the service chose. */
export interface Reply {
  readonly status: number
  readonly uid?: string | undefined
  readonly expires?: number | undefined
}

export const statusAt = (one: Appointment, now: number): AppointmentStatus =>
  one.status === "held" && one.expires <= now ? "expired" : one.status

const isLive = (one: Appointment, now: number) => ["held", "confirmed"].includes(statusAt(one, now))
const end = ({ start, minutes }: { readonly start: number; readonly minutes: number }) => start + minutes * 60

export const overlap = (a: Appointment, b: Appointment) => a.doctor === b.doctor && a.start < end(b) && b.start < end(a)

/** The length of the sessions' appointment type, in minutes. */
const SESSION_MINUTES = 20

interface Wanted {
  readonly doctor: number
  readonly minutes: number
  readonly start: number
}

/** The doctors work all day, so a type's slots start every `minutes` from midnight on. */
const isOffered = ({ start, minutes }: Wanted, now: number) => start >= now && (start % 86_400) % (minutes * 60) === 0

const isTaken = (model: Model, wanted: Wanted, now: number, free: { group?: string; session?: string }) =>
  [...model.appointments.values()].some(
    (one) =>
      isLive(one, now) &&
      one.doctor === wanted.doctor &&
      one.start < end(wanted) &&
      wanted.start < end(one) &&
      one.group !== free.group &&
      !(one.status === "held" && one.session !== null && one.session === free.session)
  )

const change = (model: Model, uid: string, fields: Partial<Appointment>): Model => {
  const one = model.appointments.get(uid)
  return one === undefined
    ? model
    : { ...model, appointments: new Map(model.appointments).set(uid, { ...one, ...fields }) }
}

const release = (model: Model, now: number, of: (one: Appointment) => boolean): Model =>
  [...model.appointments.values()]
    .filter((one) => one.status === "held" && of(one))
    .reduce((next, one) => change(next, one.uid, { status: one.expires <= now ? "expired" : "cancelled" }), model)

const refused = (model: Model, reply: Reply, status: number) => (reply.status === status ? model : undefined)

const hold = (model: Model, operation: Extract<Operation, { kind: "hold" }>, reply: Reply, now: number) => {
  const session = "session" in operation.by ? model.sessions.get(operation.by.session) : undefined
  if ("session" in operation.by && (session === undefined || session.expires <= now)) return refused(model, reply, 404)
  if (session?.replaces === null && operation.minutes !== SESSION_MINUTES) return refused(model, reply, 400)
  const original = model.appointments.get(session?.replaces ?? "")
  if (original !== undefined && statusAt(original, now) !== "confirmed") return refused(model, reply, 409)
  if (original !== undefined && original.start < now) return refused(model, reply, 400)
  if (!isOffered(operation, now)) return refused(model, reply, 400)
  const free = {
    ...(original === undefined ? {} : { group: original.group }),
    ...(session === undefined ? {} : { session: session.code })
  }
  if (isTaken(model, operation, now, free)) return refused(model, reply, 409)
  if (reply.status !== 200 || reply.uid === undefined || reply.expires === undefined) return undefined
  const { uid, expires } = reply
  const released = release(
    model,
    now,
    (one) => (session !== undefined && one.session === session.code) || one.group === original?.group
  )
  const made: Appointment = {
    uid,
    customer: session?.customer ?? ("customer" in operation.by ? operation.by.customer : ""),
    doctor: operation.doctor,
    minutes: operation.minutes,
    start: operation.start,
    status: "held",
    expires,
    session: session?.code ?? null,
    replaces: session?.replaces ?? null,
    group: original?.group ?? uid
  }
  const sessions = new Map(released.sessions)
  if (session !== undefined) sessions.set(session.code, { ...session, expires: Math.max(session.expires, expires) })
  return { appointments: new Map(released.appointments).set(uid, made), sessions }
}

const confirm = (model: Model, one: Appointment, reply: Reply, now: number) => {
  const session = one.session === null ? undefined : model.sessions.get(one.session)
  const status = statusAt(one, now)
  // until the end of what it holds an ended session confirms
  const isKept = ["held", "expired", "confirmed"].includes(status) && end(one) > now
  if (session !== undefined && session.expires <= now && !isKept) return refused(model, reply, 404)
  if (status === "confirmed") return reply.uid === one.uid ? refused(model, reply, 200) : undefined
  if (status !== "held" && status !== "expired") return refused(model, reply, 409)
  if (end(one) <= now) return refused(model, reply, 409)
  if (status === "expired" && isTaken(model, one, now, { group: one.group })) return refused(model, reply, 409)
  const original = one.session === null ? undefined : model.appointments.get(one.replaces ?? "")
  if (original !== undefined && statusAt(original, now) !== "confirmed") return refused(model, reply, 409)
  if (original !== undefined && original.start < now) return refused(model, reply, 400)
  if (reply.status !== 200 || reply.uid !== one.uid) return undefined
  const exchanged = original === undefined ? model : change(model, original.uid, { status: "cancelled" })
  return change(exchanged, one.uid, { status: "confirmed" })
}

const cancel = (model: Model, one: Appointment, by: string, reply: Reply, now: number) => {
  if (by === "stranger") return refused(model, reply, 404)
  const status = statusAt(one, now)
  if (status !== "held" && status !== "confirmed") return refused(model, reply, 409)
  if (by === "owner" && status === "confirmed" && one.start < now) return refused(model, reply, 400)
  if (reply.status !== 200) return undefined
  const freed = status === "confirmed" ? release(model, now, ({ group }) => group === one.group) : model
  return change(freed, one.uid, { status: "cancelled" })
}

const rebook = (
  model: Model,
  one: Appointment,
  operation: Extract<Operation, { kind: "rebook" }>,
  reply: Reply,
  now: number
) => {
  if (operation.by === "stranger") return refused(model, reply, 404)
  if (statusAt(one, now) !== "confirmed") return refused(model, reply, 409)
  if (operation.by === "owner" && one.start < now) return refused(model, reply, 400)
  const wanted = { doctor: operation.doctor, minutes: one.minutes, start: operation.start }
  if (!isOffered(wanted, now)) return refused(model, reply, 400)
  if (isTaken(model, wanted, now, { group: one.group })) return refused(model, reply, 409)
  if (reply.status !== 200 || reply.uid === undefined) return undefined
  const freed = release(model, now, ({ group }) => group === one.group)
  const old = change(freed, one.uid, { status: "cancelled" })
  const made: Appointment = { ...one, ...wanted, uid: reply.uid, status: "confirmed", session: null, replaces: one.uid }
  return { ...old, appointments: new Map(old.appointments).set(made.uid, made) }
}

/** Creates a rebooking session; its code is in `uid`. */
const open = (model: Model, one: Appointment, reply: Reply, now: number) => {
  if (statusAt(one, now) !== "confirmed") return refused(model, reply, 409)
  if (one.start < now) return refused(model, reply, 400)
  if (reply.status !== 200 || reply.uid === undefined || reply.expires === undefined) return undefined
  const session = { code: reply.uid, customer: one.customer, replaces: one.uid, expires: reply.expires }
  return { ...model, sessions: new Map(model.sessions).set(session.code, session) }
}

const complete = (model: Model, one: Appointment, reply: Reply, now: number) => {
  if (statusAt(one, now) !== "confirmed" || now < one.start) return refused(model, reply, 409)
  return reply.status === 200 ? change(model, one.uid, { status: "completed" }) : undefined
}

/** The state after the operation if `reply` is a valid response to it at this time; else undefined. */
export const apply = (model: Model, operation: Operation, reply: Reply, now: number): Model | undefined => {
  if (operation.kind === "hold") return hold(model, operation, reply, now)
  const one = model.appointments.get(operation.uid)
  if (one === undefined) return refused(model, reply, 404)
  if (operation.kind === "confirm") return confirm(model, one, reply, now)
  if (operation.kind === "cancel") return cancel(model, one, operation.by, reply, now)
  if (operation.kind === "rebook") return rebook(model, one, operation, reply, now)
  return operation.kind === "open" ? open(model, one, reply, now) : complete(model, one, reply, now)
}
