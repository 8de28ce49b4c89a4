/**
 * Every kind of message, and what it is about: an appointment, or another record of the practice (Rule 6.7). A new kind is a row here, its
 * texts, and the notice of its record (`NoticeSource`).
 */
export const noticeKinds = {
  reminder: "appointment",
  confirmation: "appointment",
  cancellation: "appointment",
  rebooking: "appointment",
  series: "record",
  recall: "record",
  waitlist_offer: "record",
  waitlist_paused: "record"
} as const
export type NoticeKind = keyof typeof noticeKinds

type About<What extends "appointment" | "record"> = {
  [Kind in NoticeKind]: (typeof noticeKinds)[Kind] extends What ? Kind : never
}[NoticeKind]
/** Messages about one appointment, with its facts and calendar entry. */
export type AppointmentNoticeKind = About<"appointment">
/** Messages about another record, whose domain writes them. */
export type RecordNoticeKind = About<"record">

export const allNoticeKinds = Object.keys(noticeKinds) as ReadonlyArray<NoticeKind> // an object's keys are its type's
export const appointmentNoticeKinds = ["reminder", "confirmation", "cancellation", "rebooking"] as const

export const isAboutAppointment = (kind: NoticeKind): kind is AppointmentNoticeKind =>
  noticeKinds[kind] === "appointment"
