import { Schema } from "effect"
import { BirthDate, midnightOf } from "../../../../schemas/birthDate.ts"
import { truncate } from "../../../../schemas/fields.ts"
import type { Attributes } from "../../../../services/checkout/Storefront.ts"
import type { Property } from "../../schemas/OrderWebhook.ts"

/** The shop's list of properties as a record; the last one of a name wins. */
export const toAttributes = (properties: ReadonlyArray<Property> | null): Attributes =>
  Object.fromEntries((properties ?? []).map(({ name, value }) => [name, value === null ? "" : String(value)]))

const FLAGS = ["_skip_validation", "_service_skip_validation"]

/**
 * Whether a line needs no questionnaire (Rule 11.7.10). The levels are the line, its group and the order's additional details, nearest
 * first: the first one with the flag decides, and only `true` and `1` set it.
 */
export const skipsValidation = (levels: ReadonlyArray<Attributes>): boolean => {
  const nearest = levels.find((level) => FLAGS.some((flag) => Object.hasOwn(level, flag)))
  return nearest !== undefined && FLAGS.some((flag) => nearest[flag] === "true" || nearest[flag] === "1")
}

/** The group's properties that can decide. Others are dropped, since a shop may send very large ones. */
export const flagsOf = (properties: Attributes): Attributes =>
  Object.fromEntries(
    FLAGS.flatMap((flag) => (Object.hasOwn(properties, flag) ? [[flag, truncate(properties[flag] ?? "")]] : []))
  )

/** Whether the line itself has the flag, so that its group cannot decide. */
export const hasFlag = (properties: Attributes): boolean => FLAGS.some((flag) => Object.hasOwn(properties, flag))

const isBirthDate = Schema.is(BirthDate)
/** A date of birth: a calendar date, or Unix seconds as in the checkout's request. Null for anything else. */
export const toBirthDate = (text: string | undefined): number | null => {
  const seconds = /^-?\d{1,12}$/.test(text ?? "") ? Number(text) : midnightOf(text ?? "")
  return isBirthDate(seconds) ? seconds : null
}

const GENDERS = ["male", "female", "divers"] as const
export type Gender = (typeof GENDERS)[number]

export const toGender = (text: string | undefined): Gender | null => GENDERS.find((gender) => gender === text) ?? null
