/** A meeting's room opens this long before the appointment starts (Rule 5.1.1). */
export const OPENS_BEFORE_START_SECONDS = 10 * 60
/** A meeting's room admits participants until this long after the appointment ends. */
export const CLOSES_AFTER_END_SECONDS = 60 * 60
/** In the practice nobody enters a room by the service: a visit that should have begun this long ago has. */
export const LATE_BEGIN_SECONDS = 10 * 60

interface Times {
  readonly start_date: number
  readonly end_date: number
}

export type JoinWindowState = "too_early" | "open" | "too_late"

/** The instant, in Unix seconds, from which an appointment's room can be joined. */
export const opensAt = (appointment: Times) => appointment.start_date - OPENS_BEFORE_START_SECONDS

/** The last instant, in Unix seconds, at which an appointment's room can be joined. */
export const closesAt = (appointment: Times) => appointment.end_date + CLOSES_AFTER_END_SECONDS

/** Whether the room can be joined now; both ends of the window are inclusive. */
export const joinWindowState = (appointment: Times, now: number): JoinWindowState => {
  if (now < opensAt(appointment)) return "too_early"
  return now > closesAt(appointment) ? "too_late" : "open"
}
