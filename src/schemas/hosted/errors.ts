/** Errors of the hosted pages. */
import { DomainError, NotFoundError } from "../DomainError.ts"

export class PageNotFound extends NotFoundError("PageNotFound", "Page") {}

/** The form showed another appointment, or another time: the page shows what is true now. Rule 5.5.12. */
export class AppointmentChanged extends DomainError(
  "AppointmentChanged",
  "The appointment has changed since the page was loaded"
) {}
