/**
 * Maximum records that an organisation may create by the interface: each is read by every search, page or tick that concerns it. Rule
 * 3.8.7.
 */
import type { SqlError } from "@effect/sql/SqlError"
import { Effect, Schema } from "effect"
import { invalid } from "../schemas/problems.ts"
import { rowsOf } from "./database/rows.ts"
import type { CurrentTenant } from "./tenancy/Tenancy.ts"

export const RECORD_LIMITS = {
  /** Weekly rules of a doctor or a resource, inactive ones included. */
  rules: 200,
  /** Weekly rules of all doctors and resources of an organisation. */
  allRules: 20_000,
  /** Overrides of a doctor or a resource on one date. */
  overrides: 50,
  /** Overrides of all doctors and resources of an organisation, from three days ago on: those that a search may read. */
  allOverrides: 20_000,
  doctors: 2_000,
  resources: 1_000,
  appointmentTypes: 200,
  /** Bytes of the texts for patients of all types, which are in one public response. */
  typeTexts: 500_000,
  /** Reminders of an appointment type. */
  reminders: 100,
  /** Reminders of all types of an organisation. */
  allReminders: 5_000,
  shops: 1_000,
  administrators: 1_000,
  /** Active API keys, active booking token secrets, and FHIR clients: a list contains all of them. */
  keys: 1_000,
  /** Consents of a patient, withdrawn ones included: every page that asks for one reads them. */
  consents: 500
}

const counts = rowsOf(Schema.Struct({ count: Schema.Number }))

/** Fails with `Invalid` for `field` if the statement counts `limit` or more. Concurrent requests may each pass. */
export const ensureBelowLimit = (
  statement: Effect.Effect<ReadonlyArray<unknown>, SqlError, CurrentTenant>,
  limit: number,
  field: string,
  what: string,
  advice = "delete some first"
) =>
  Effect.flatMap(counts.one(statement), ({ count }) =>
    count >= limit ? invalid(field, `there are ${count} ${what} already: ${advice}`) : Effect.void
  )
