/** The port that wraps data keys before they are stored: with the master key, or by a key service that does not disclose its key. */
import { Context, Data, type Effect } from "effect"

/** The owner and id of a data key, to which its wrapped form is bound. */
export interface WrappedFor {
  readonly owner: string
  readonly id: string
}

/** A defect: the key service does not answer or rejects the call. Requests that need a key are then `unavailable`. */
export class KeyServiceFailed extends Data.TaggedError("KeyServiceFailed")<{
  readonly operation: "encrypt" | "decrypt"
  readonly reason: string
}> {
  override get message() {
    return `The key service failed to ${this.operation}: ${this.reason}`
  }
}

/** A service that wraps and unwraps without disclosing its key; what it wrapped begins with `vault:`. */
export interface KeyService {
  readonly wrap: (place: WrappedFor, key: Uint8Array) => Effect.Effect<string>
  readonly unwrap: (place: WrappedFor, wrapped: string) => Effect.Effect<Uint8Array>
}

export class KeyWrapping extends Context.Tag("services/KeyWrapping")<
  KeyWrapping,
  /** Also unwraps keys wrapped by the other implementation, as long as its settings are present. */
  KeyService & {
    /** Whether a key service is asked: not within a transaction (`outsideTransaction`). */
    readonly isRemote: boolean
    /** Whether `wrap` would use the same key again. */
    readonly isCurrent: (wrapped: string) => boolean
  }
>() {}
