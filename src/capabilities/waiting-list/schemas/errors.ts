/** Errors of the waiting list. */
import { DomainError, NotFoundError } from "../../../schemas/DomainError.ts"

export class WaitlistEntryNotFound extends NotFoundError("WaitlistEntryNotFound", "Waiting-list entry") {}
export class WaitlistOfferNotFound extends NotFoundError("WaitlistOfferNotFound", "Waiting-list offer") {}

/** `retry_after_seconds`: until the first of the entries ends by itself, at most a day. */
export class TooManyEntries extends DomainError(
  "TooManyEntries",
  "The patient has five live entries on the waiting list: end one of them first"
)<{ readonly retry_after_seconds: number }> {}

export class WaitlistEntryOver extends DomainError(
  "WaitlistEntryOver",
  "The waiting-list entry was booked or has ended: make a new one"
) {}
