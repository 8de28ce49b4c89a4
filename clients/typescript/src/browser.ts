// SPDX-License-Identifier: Apache-2.0
/** The client of a page: operations for which a launch or action code is the credential. No key, no token. */
import { type Methods, methodsOf } from "./client.ts"
import { browserOperations } from "./generated/browserOperations.ts"
import type { Settings } from "./send.ts"

export type { Answer, Call } from "./Call.ts"
export { ApiError, type CodeOf, ConnectionError, isApiError } from "./errors.ts"
export type {
  BookingSessionContext,
  CancelledAppointment,
  ConfirmedAppointment,
  Hold,
  JoinToken,
  PublicAppointmentType,
  Slot
} from "./generated/schemas.ts"
export type { CallOptions, Settings } from "./send.ts"

/** A client with the operations that a page may call. */
export type BookingClient = Methods<keyof typeof browserOperations>

export const bookingClient = (settings: Settings): BookingClient => methodsOf(browserOperations, settings)
