import { DomainError } from "../../../schemas/DomainError.ts"

/** Why a booking without a partner was refused; the page says what to do. */
export class PublicBookingRefused extends DomainError(
  "PublicBookingRefused",
  "The booking goes no further: see the reason on the page"
)<{ readonly reason: "birthDate" | "tooMany" | "typeGone" | "noMail" | "wrongCode" | "codeGone" }> {}
