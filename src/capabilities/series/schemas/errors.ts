import { DomainError, NotFoundError } from "../../../schemas/DomainError.ts"
import type { UnixSeconds } from "../../../schemas/fields.ts"

export class SeriesNotFound extends NotFoundError("SeriesNotFound", "Series") {}

/** A start of a series is not free, and conflicts are to fail. `start_date` is the first. */
export class SeriesConflict extends DomainError(
  "SeriesConflict",
  "A start of the series is not free: choose another, or send `on_conflict`"
)<{ readonly start_date: UnixSeconds }> {
  static readonly code = "slot_taken"
  get inBody() {
    return { start_date: this.start_date }
  }
}
