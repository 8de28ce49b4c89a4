/** Elements of a resource as sent, of which nothing is known yet, and what refuses them. */
import { Predicate } from "effect"
import { refuse } from "./refused.ts"

export type Json = Readonly<Record<string, unknown>>
export const listOf = (value: unknown): ReadonlyArray<Json> =>
  Array.isArray(value) ? value.filter((one): one is Json => Predicate.isRecord(one)) : []
export const recordOf = (value: unknown): Json => (Predicate.isRecord(value) ? value : {})
export const textOf = (value: unknown) => (typeof value === "string" ? value : undefined)

export const required = (at: string) => refuse(400, "required", `${at}: is required`, at)
export const wrong = (at: string, text: string) => refuse(422, "value", `${at}: ${text}`, at)
