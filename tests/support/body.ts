/** The body of an answer as tests read it: every field of the document's answers, and of their parts, by its name. */
import type { Events } from "../../clients/typescript/src/generated/events.ts"
import type { Operations } from "../../clients/typescript/src/generated/operations.ts"
import type { InvalidRequest, Problem } from "../../clients/typescript/src/generated/schemas.ts"

type Plain = string | number | boolean
type List = ReadonlyArray<unknown>
type Names<Records> = Records extends unknown ? keyof Records : never
type Field<Records, Name> = Records extends unknown ? (Name extends keyof Records ? Records[Name] : never) : never

type Unless<Part, Shape> = [Part] extends [never] ? unknown : Shape

/** Of several shapes one with the fields of all. What is null or absent in an answer fails the test that reads it. */
type Read<Value> = [Value] extends [null | undefined]
  ? unknown
  : Unless<Extract<Value, Plain>, Extract<Value, Plain>> &
      Unless<
        Extract<Value, List>,
        readonly [Read<Extract<Value, List>[number]>, ...ReadonlyArray<Read<Extract<Value, List>[number]>>]
      > &
      Unless<Exclude<Value, Plain | List | null | undefined>, Merged<Exclude<Value, Plain | List | null | undefined>>>
type Merged<Records> = { readonly [Name in Names<Records>]: Read<Field<Records, Name>> }

/** An event as subscribers receive it. */
export type EventBody = Merged<Events[keyof Events]>

/** What the OpenAPI document does not describe: itself, `/dev-idp`, problem+json, a merged patient's problem, and FHIR. */
interface Other {
  readonly info: { readonly title: string }
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>
  readonly issuer: string
  readonly detail: string
  readonly errors: ReadonlyArray<string>
  readonly merged_into: string
  readonly id: string
  readonly issue: ReadonlyArray<{ readonly code: string; readonly diagnostics: string }>
}
interface DocumentedOperation {
  readonly deprecated?: boolean
  readonly "x-permissions"?: ReadonlyArray<string>
  readonly responses: Readonly<Record<string, { readonly headers: object; readonly content: object }>>
}

export type Body = Merged<Exclude<Operations[keyof Operations]["result"], undefined> | Problem | InvalidRequest> & Other

/** What a test needs to go on, such as a found record. */
export const present = <Value>(value: Value | undefined): Value => {
  if (value === undefined) throw new Error("expected a value")
  return value
}

// What a test expects may be less than the type of what it looks at: an empty list, null, a part of a record
declare module "bun:test" {
  interface Matchers<T> {
    toBe(expected: unknown): void
    toContain(expected: unknown): void
    toContainEqual(expected: unknown): void
    toEqual(expected: unknown): void
    toMatchObject(expected: object): void
  }
}
