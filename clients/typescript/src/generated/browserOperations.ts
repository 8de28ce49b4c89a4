// SPDX-License-Identifier: Apache-2.0
// Made by `bun script/generate/client.ts` from the OpenAPI document. Changes here are lost.
import type { Operation } from "../operation.ts"

/** Operations that need no secret: the code in the path is the credential, or there is none. */
export const browserOperations = {
  listPublicAppointmentTypes: { method: "GET", path: "/v1/scheduling/appointment-types" },
  searchSlots: { method: "POST", path: "/v1/scheduling/slots/search" },
  getBookingSession: { method: "GET", path: "/v1/scheduling/booking-sessions/{booking_launch_code}" },
  createSessionHold: { method: "POST", path: "/v1/scheduling/booking-sessions/{booking_launch_code}/holds", keyed: true },
  bookSessionAppointment: { method: "POST", path: "/v1/scheduling/booking-sessions/{booking_launch_code}/appointments", keyed: true },
  confirmSessionHold: { method: "POST", path: "/v1/scheduling/booking-sessions/{booking_launch_code}/holds/{hold_uid}/confirm", keyed: true },
  getActionLink: { method: "GET", path: "/v1/scheduling/appointment-actions/{code}" },
  joinByActionLink: { method: "POST", path: "/v1/scheduling/appointment-actions/{code}/join", keyed: true },
  cancelByActionLink: { method: "POST", path: "/v1/scheduling/appointment-actions/{code}/cancel", keyed: true },
  rebookByActionLink: { method: "POST", path: "/v1/scheduling/appointment-actions/{code}/rebook-session", keyed: true }
} as const satisfies Readonly<Record<string, Operation>>
