/** Every state of every hosted page, each created on request. */
import type { Stage, State } from "./scene.ts"
import { appointmentStates } from "./states/appointment.ts"
import { bookingStates } from "./states/booking.ts"
import { meetingStates } from "./states/meeting.ts"
import { otherStates } from "./states/other.ts"
import { publicBookingStates } from "./states/publicBooking.ts"
import { waitlistStates } from "./states/waitlist.ts"
import { widgetStates } from "./states/widget.ts"

export const statesOf = (stage: Stage): ReadonlyArray<State> =>
  [
    bookingStates,
    widgetStates,
    publicBookingStates,
    appointmentStates,
    waitlistStates,
    meetingStates,
    otherStates
  ].flatMap((of) => of(stage))
