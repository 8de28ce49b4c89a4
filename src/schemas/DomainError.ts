/** Base of the domains' errors. `http/problems.ts` maps each to its status; the domains do not know statuses. */
import { type Cause, Data, type Types } from "effect"

/** A class of errors: `new` takes the error's fields. */
export interface DomainErrorClass<Tag extends string> {
  new <A extends Record<string, unknown> = Record<never, never>>(
    ...fields: Types.Equals<A, Record<never, never>> extends true ? [] : [Readonly<A>]
  ): Cause.YieldableError & { readonly _tag: Tag } & Readonly<A>
  /** The sentence that a caller reads, unless the error overrides `message`: what is wrong and what to do. */
  readonly meaning: string
}

/**
 * Declares a domain error by its tag and its message:
 * `class SlotTaken extends DomainError("SlotTaken", "…") {}`. Fields are a type argument; a message that uses them
 * is an override.
 */
export const DomainError = <const Tag extends string>(tag: Tag, meaning: string): DomainErrorClass<Tag> => {
  class Declared extends Data.TaggedError(tag)<Record<string, unknown>> {
    static readonly meaning = meaning
    constructor(fields: Record<string, unknown> = {}) {
      super(fields)
    }
    override get message() {
      return meaning
    }
  }
  return Declared as unknown as DomainErrorClass<Tag> // a class expression cannot be generic in its fields
}

/** The record does not exist or belongs to another tenant; the two are indistinguishable to callers. */
export const NotFoundError = <const Tag extends string>(tag: Tag, what: string) => DomainError(tag, `${what} not found`)
