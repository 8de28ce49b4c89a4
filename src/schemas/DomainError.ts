/** How the domains declare their errors. `http/problems.ts` gives every one its status; a domain knows none. */
import { type Cause, Data, type Types } from "effect"

/** A class of errors: `new` takes the fields that the error carries. */
export interface DomainErrorClass<Tag extends string> {
  new <A extends Record<string, unknown> = Record<never, never>>(
    ...fields: Types.Equals<A, Record<never, never>> extends true ? [] : [Readonly<A>]
  ): Cause.YieldableError & { readonly _tag: Tag } & Readonly<A>
  /** The sentence a caller reads, unless the error has a message of its own: what is the matter and what to do. */
  readonly meaning: string
}

/**
 * Declares an error of a domain by its tag and its meaning:
 * `class SlotTaken extends DomainError("SlotTaken", "…") {}`. Fields come as a type argument, and a message that uses them
 * as an override.
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

/** No such record, or another tenant's: the two are never told apart. */
export const NotFoundError = <const Tag extends string>(tag: Tag, what: string) => DomainError(tag, `${what} not found`)
