/** `Idempotency-Key`, accepted by POSTs. Rules 2.6.1 to 2.6.4. */
import type { Headers } from "@effect/platform"
import { Context, Effect, Option, Predicate, Schema } from "effect"
import { Opaque } from "../schemas/fields.ts"

/** Characters of a key. */
export const KEY_LENGTH = 255

const KeyHeader = Schema.Struct({ "idempotency-key": Schema.optional(Opaque(KEY_LENGTH)) })

/** The key of a request; undefined without one. */
export const keyIn = (headers: Headers.Headers) =>
  Effect.map(Schema.decodeUnknown(KeyHeader)(headers), (decoded) => decoded["idempotency-key"])

/** How a POST uses the key of its request. */
export type KeyUse =
  /**
   * The default, for any work, also with calls to other systems: the key is claimed before it. A concurrent request is 409 `in_progress`,
   * and if the process dies, the work runs again.
   */
  | "before"
  /**
   * The handler is one transaction that calls no other system; it claims the key. A concurrent request waits for it. Not for callers
   * without an owner: operators, and keys of pharmacy groups.
   */
  | "transaction"
  /** As "transaction", by the service (`Idempotency.once`): a part of the work precedes or follows its transaction. */
  | "service"
  /** Safe to repeat, and the response is short-lived or has much of a patient's data: it is not stored, and the work runs again. */
  | "again"
  /** None is accepted. */
  | "none"

/** Annotation of a POST. */
export class UsesKey extends Context.Tag("http/UsesKey")<UsesKey, KeyUse>() {}

/** The untyped part of an endpoint that decides on its key. */
export interface KeyedEndpoint {
  readonly method: string
  readonly annotations: Context.Context<never>
}

export const keyUse = ({ method, annotations }: KeyedEndpoint): KeyUse =>
  method === "POST" ? Option.getOrElse(Context.getOption(annotations, UsesKey), () => "before" as const) : "none"

/** Whether a request is a dry run, which changes nothing: it too runs again when repeated. */
export const isDryRun = (payload: unknown) => Predicate.hasProperty(payload, "dry_run") && payload.dry_run === true
