/** Errors that belong to no domain. Those of a domain are in its `errors.ts`; `http/problems.ts` maps each to its status. */
import { Schema } from "effect"
import { DomainError } from "./DomainError.ts"

const Fault = Schema.Struct({ field: Schema.String, message: Schema.String })
export type Fault = typeof Fault.Type

/** A missing or invalid credential. */
export class Unauthenticated extends Schema.TaggedError<Unauthenticated>()("Unauthenticated", {
  reason: Schema.String
}) {
  static readonly meaning = "No credential, or one that is not valid"
  override get message() {
    return this.reason
  }
}

/** A valid credential without the required permission or role. */
export class Forbidden extends Schema.TaggedError<Forbidden>()("Forbidden", { reason: Schema.String }) {
  static readonly meaning = "A valid credential that may not do this"
  override get message() {
    return this.reason
  }
}

/** The request violates rules; every error is listed with its field. */
export class Invalid extends Schema.TaggedError<Invalid>()("Invalid", { faults: Schema.Array(Fault) }) {
  static readonly meaning = "The request breaks rules; `error` lists every fault as `field: message`"
  override get message() {
    return this.faults.map(({ field, message }) => `${field}: ${message}`).join("; ")
  }
}

/** The record does not match `If-Match`: it was changed since. */
export class PreconditionFailed extends DomainError(
  "PreconditionFailed",
  "The record has changed since it was read: read it again and repeat the change"
) {}

export class TooManyRequests extends Schema.TaggedError<TooManyRequests>()("TooManyRequests", {
  retry_after_seconds: Schema.Number
}) {
  static readonly meaning = "Too many requests; `Retry-After` says when to try again"
  override get message() {
    return `Too many requests: try again in ${this.retry_after_seconds} s`
  }
}

/** A dependency is unavailable; the same request may succeed later. */
export class Unavailable extends Schema.TaggedError<Unavailable>()("Unavailable", { reason: Schema.String }) {
  static readonly meaning = "Something that the request needs does not answer; try again later"
  override get message() {
    return this.reason
  }
}

/** A queue is full. */
export class Overloaded extends Schema.TaggedError<Overloaded>()("Overloaded", { reason: Schema.String }) {
  static readonly meaning = "More requests wait than the service takes; try again after `Retry-After` seconds"
  override get message() {
    return this.reason
  }
}

/** A single error of a single field. */
export const invalid = (field: string, message: string) => new Invalid({ faults: [{ field, message }] })
