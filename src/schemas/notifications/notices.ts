/**
 * Every kind of message: what it is about, whether the organisation has to opt in, and the event that leads to it, for whom and when (Rule
 * 6.7). A new kind is a row here and its texts (`src/texts/notices.ts`); one about a record also the notice of it (`NoticeSource`). Kinds
 * without `on` depend on more than their event: `MessagePlanner` plans them.
 */

import type { Event, EventData, EventType, Recipient } from "../events/catalogue.ts"
import { memberOf, storedMemberOf } from "../fields.ts"

/** A message by mail, else by SMS. */
export interface NoticePlan extends Pick<Recipient, "role" | "uid"> {
  /** Unix seconds; default at once. */
  readonly due_at?: number
}

interface Cause {
  readonly type: EventType
  readonly plan: (data: Event["data"]) => NoticePlan
}
/** The event that leads to a message, and its plan. */
export const on = <T extends EventType>(type: T, plan: (data: EventData<T>) => NoticePlan): Cause => ({
  type,
  plan: (data) => plan(data as EventData<T>) // as: the data of an event of this type
})

export interface NoticeDefinition {
  /** Of one appointment a message has its facts and its calendar entry; other records' domains write theirs. */
  readonly about: "appointment" | "record"
  readonly isOptional?: true
  /** It asks the patient to choose another time, so that no link leads to the room. */
  readonly asksToMove?: true
  /** It is needed until the end of the appointment. Default: until its start. */
  readonly isForWholeTime?: true
  readonly on?: Cause
  /** Placeholders of its texts beside `sharedPlaces`, e.g. `when` for `{when}`. */
  readonly places: ReadonlyArray<string>
}

/** Placeholders of every message: the patient's name, and the organisation's. */
export const sharedPlaces = ["name", "organisation"]
/** The address of a page, for text messages; a text message that leads to one has to contain it. */
export const PAGE_PLACE = "url"

export const ofAppointment = ["when", "counterpart"]

const core = {
  reminder: { about: "appointment", places: ofAppointment },
  confirmation: { about: "appointment", isOptional: true, places: ofAppointment },
  cancellation: { about: "appointment", isOptional: true, places: ofAppointment },
  rebooking: { about: "appointment", isOptional: true, places: [...ofAppointment, "before", "from", "to"] }
} as const satisfies Readonly<Record<string, NoticeDefinition>>
type Core = typeof core
/** The definitions by kind. A capability declares its own kinds here, too: `declare module`. */
export interface Notices extends Core {}
export type NoticeKind = keyof Notices

export const notices = { ...core } as Notices // capabilities add the rest

/** Adds a capability's kinds. Called at start, before messages are planned. */
export const addNotices = (added: Partial<Notices>) => {
  Object.assign(notices, added)
}

type With<Row> = {
  [Kind in NoticeKind]: Notices[Kind] extends Row ? Kind : never
}[NoticeKind]
export type AppointmentNoticeKind = With<{ readonly about: "appointment" }>
export type RecordNoticeKind = With<{ readonly about: "record" }>
/** Messages that an organisation opts in to. */
export type OptionalNoticeKind = With<{ readonly isOptional: true }>

const rows = (): ReadonlyArray<readonly [string, NoticeDefinition]> => Object.entries(notices)
const kindsWhere =
  <Kind extends NoticeKind>(isOne: (notice: NoticeDefinition) => boolean) =>
  () =>
    rows().flatMap(([kind, notice]) => (isOne(notice) ? [kind as Kind] : [])) // as: the rows of that type

export const allNoticeKinds = kindsWhere(() => true)
export const appointmentNoticeKinds = kindsWhere<AppointmentNoticeKind>(({ about }) => about === "appointment")
export const optionalNoticeKinds = kindsWhere<OptionalNoticeKind>(({ isOptional }) => isOptional === true)()

/** One of the kinds of messages. */
export const AnyNoticeKind = memberOf(allNoticeKinds)
/** That of a stored message. */
export const StoredNoticeKind = storedMemberOf(allNoticeKinds)

/** How a message of the kind differs from others. */
export const noticeOf = (kind: NoticeKind): NoticeDefinition => notices[kind]

/** False also for the kind of a stored message whose capability is off. */
export const isAboutAppointment = (kind: NoticeKind): kind is AppointmentNoticeKind =>
  Object.hasOwn(notices, kind) && notices[kind].about === "appointment"

/** The kind of message that an event of each type leads to, and its plan. */
export const noticesByEvent = (): ReadonlyMap<EventType, { readonly kind: NoticeKind; readonly plan: Cause["plan"] }> =>
  new Map(
    rows().flatMap(([kind, { on }]) =>
      on === undefined ? [] : [[on.type, { kind: kind as NoticeKind, plan: on.plan }]]
    )
  )
