/** Errors of the hosted pages. */
import { DomainError, NotFoundError } from "../DomainError.ts"

export class PageNotFound extends NotFoundError("PageNotFound", "Page") {}

/** Why a booking without a partner was refused; the page says what to do. */
export class PublicBookingRefused extends DomainError(
  "PublicBookingRefused",
  "The booking goes no further: see the reason on the page"
)<{ readonly reason: "birthDate" | "tooMany" | "typeGone" | "noMail" | "wrongCode" | "codeGone" }> {}

/** The form showed another appointment, or another time: the page shows what is true now. Rule 5.5.12. */
export class AppointmentChanged extends DomainError(
  "AppointmentChanged",
  "The appointment has changed since the page was loaded"
) {}
