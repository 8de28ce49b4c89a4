// SPDX-License-Identifier: Apache-2.0
/** What is to be known of an operation to call it. */
export interface Operation {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE"
  /** With `{name}` for each parameter of the path; what else is given goes into the query. */
  readonly path: string
  readonly credentials?: ReadonlyArray<"apiKey" | "bookingToken" | "bearer">
  /** Takes an `Idempotency-Key`, so that it can be sent again. */
  readonly keyed?: true
  /** The parameter by which the next part of a list is asked for. */
  readonly list?: "page" | "cursor" | "next" | "after"
}
