/** What there may be at most: records, which every search, page or tick that concerns them reads, and the contents of one answer. */

import type { SqlError } from "@effect/sql/SqlError"
import { Effect } from "effect"
import { MAX_PROFILE_BYTES } from "../schemas/access/PatientProfile.ts"
import { MOST_LINES } from "../schemas/checkout/Checkout.ts"
import { invalid } from "../schemas/problems.ts"
import { countOf } from "./database/rows.ts"
import type { CurrentTenant } from "./tenancy/Tenancy.ts"

/** Records that an organisation may create by the interface. Rule 3.8.7. */
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
  /** Active API keys, active booking token secrets, and clients of a capability: a list contains all of them. */
  keys: 1_000,
  /** Consents of a patient, withdrawn ones included: every page that asks for one reads them. */
  consents: 500,
  /** Live booking sessions of a patient, beside those with a live hold; a further one ends the oldest. */
  sessions: 50,
  /** Prescriptions of a shop's order, each of which becomes a pharmacy order; a checkout has at most twenty. */
  prescriptionsOfOrder: 50,
  /** Items of a prescription that is rendered; each costs some ten milliseconds of processor time. */
  renderedItems: 100
}

/** What one answer, which is made in memory, holds, and what is read for it. */
export const ANSWER_LIMITS = {
  /** Inactive API keys, or booking token secrets, in one list, the newest: none is ever deleted. */
  inactiveKeys: 1_000,
  /** Bytes of the profiles of a page of patients as PostgreSQL text, which adds white space: enough for fifty-one of the maximum size. */
  profileBytes: 80 * MAX_PROFILE_BYTES,
  /** Lines of a page's pharmacy orders together: those of fifty-one orders of the maximum size. */
  orderLines: 51 * MOST_LINES,
  /** Orders of shops that wait, in the operator's list, the longest first. */
  waitingOrders: 1_000,
  /** Jobs that were given up, in the operator's list, the latest. */
  deadLetters: 200,
  /** Characters of encrypted events after which a page of the feed ends: one event of an order may have 100,000. */
  feedBytes: 4 * 1024 * 1024,
  /** Audit entries scanned for one page that is filtered by actor or action. */
  scannedEntries: 100_000,
  /** Appointments counted for the total of a page; above it the total is null. */
  countedAppointments: 10_000,
  /** Appointments cancelled by one request. */
  cancelled: 1_000,
  /** Prescriptions that wait for a doctor, the oldest, and their items together. */
  waitingPrescriptions: { limit: 100, items: 1_000 },
  /** Slots of a search; several times what the largest practice has in a month. Rule 3.8.6. */
  slots: 250_000,
  /** Times on a page, the earliest. */
  offeredTimes: 50_000,
  /** Dates of one list of overrides, both ends inclusive: about six months. Rule 7.6.4. */
  overrideDates: 184,
  /** Starts in a preview of an override or a resource, of those that appear and of those that disappear. */
  previewedStarts: 50_000,
  /** Appointments in a preview of holidays; `count` counts all. */
  previewedAppointments: 500,
  /** Appointments moved by one request. */
  moved: 200,
  /** Entries of a calendar feed. */
  feedEntries: 5_000,
  /** SKUs of a page's products together: 150 for each of the default page. Rule 2.5.9. */
  skusOfPage: 7_500,
  /** Rows of a statement of payouts, so that it takes less than a second of processor time. */
  statementRows: 50_000,
  /** Appointments, prescriptions and orders of a patient in one export or erasure: hundreds of thousands would exhaust the memory. */
  patientRecords: 2_000,
  /** Lines of a patient's orders in one export or erasure: an order has up to 500. */
  patientLines: 10_000,
  /** Items of a patient's prescriptions in one export or erasure: a prescription has up to 500. */
  patientItems: 10_000,
  /** Bytes of a patient's encrypted events in one export: those of orders have all their lines, and are decrypted together. */
  patientEventBytes: 5 * 1024 * 1024
}

/** Fails with `Invalid` for `field` if the statement counts `limit` or more. Concurrent requests may each pass. */
export const ensureBelowLimit = (
  statement: Effect.Effect<ReadonlyArray<unknown>, SqlError, CurrentTenant>,
  limit: number,
  field: string,
  what: string,
  advice = "delete some first"
) =>
  Effect.flatMap(countOf(statement), (count) =>
    count >= limit ? invalid(field, `there are ${count} ${what} already: ${advice}`) : Effect.void
  )
