/** What wraps data keys before the database keeps them: the master key, or a key service that never gives its key away. */
import { Context, Data, type Effect } from "effect"

/** The owner of a data key and the key's id. It unwraps for these alone. */
export interface WrappedFor {
  readonly owner: string
  readonly id: string
}

/** A defect: the key service does not answer, or refuses. Requests that need a key answer 503. */
export class KeyServiceFailed extends Data.TaggedError("KeyServiceFailed")<{
  readonly operation: "encrypt" | "decrypt"
  readonly reason: string
}> {
  override get message() {
    return `The key service failed to ${this.operation}: ${this.reason}`
  }
}

export class KeyWrapping extends Context.Tag("services/KeyWrapping")<
  KeyWrapping,
  {
    readonly wrap: (place: WrappedFor, key: Uint8Array) => Effect.Effect<string>
    /** Also of keys that the other implementation wrapped, as long as its settings are there. */
    readonly unwrap: (place: WrappedFor, wrapped: string) => Effect.Effect<Uint8Array>
    /** Whether `wrap` would wrap it with the same key again. */
    readonly isCurrent: (wrapped: string) => boolean
  }
>() {}
