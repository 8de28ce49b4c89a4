/** The retention period of each kind of data, and its reason (section 12.6). */
import { Record, Schema } from "effect"
import { changes, integer } from "../fields.ts"

interface Kind {
  /** What the kind covers, and when its period begins. */
  readonly what: string
  /** Default, in days. */
  readonly days: number
  /** The minimum that an organisation may set, in days: the period required by law, else 1. */
  readonly minimum: number
  /** Why the data is kept, and why not longer. */
  readonly reason: string
}

const TEN_YEARS = 3653
const EIGHT_YEARS = 2922
const THREE_YEARS = 1096
/** The longest range of weekly figures, and some days. */
const FOURTEEN_MONTHS = 430
const DAYS_MAX = 36_525

const storageLimitation = "Art. 5 (1) (e) GDPR: not needed after that"
const limitationPeriod = "§§ 195, 199 BGB: until claims are time-barred"

export const retentionKinds = {
  records: {
    what: "Appointments that took place or were missed, after the end of the patient's last one; prescriptions with their PDFs, after their last change",
    days: TEN_YEARS,
    minimum: TEN_YEARS,
    reason: "§ 630f (3) BGB: medical records, ten years after the end of treatment"
  },
  orders: {
    what: "Names and addresses in orders and paid drafts, after their last change",
    days: TEN_YEARS,
    minimum: EIGHT_YEARS,
    reason: "§ 147 AO, § 257 HGB: vouchers eight, books ten years"
  },
  forms: {
    what: "Answers to forms and their files, after their last change",
    days: TEN_YEARS,
    minimum: TEN_YEARS,
    reason: "§ 630f (3) BGB: as medical records"
  },
  cancelled_appointments: {
    what: "Confirmed appointments that were cancelled, after the cancellation",
    days: THREE_YEARS,
    minimum: 1,
    reason: limitationPeriod
  },
  patients: {
    what: "Patients without appointments, after their last change",
    days: THREE_YEARS,
    minimum: 1,
    reason: limitationPeriod
  },
  consents: {
    what: "Consents, after they were withdrawn",
    days: THREE_YEARS,
    minimum: 1,
    reason: `Art. 7 (1) GDPR: proof of consent; ${limitationPeriod}`
  },
  waitlist: {
    what: "Entries of the waiting list with their offers, after the end of the time that was waited for",
    days: FOURTEEN_MONTHS,
    minimum: 1,
    reason: "Art. 5 (1) (e) GDPR: statistics of refilled times compare with the year before"
  },
  messages: {
    what: "Mails and texts sent, without content, after their creation",
    days: 90,
    minimum: 1,
    reason: storageLimitation
  },
  drafts: {
    what: "Unpaid drafts, reservations, and orders that wait for a pharmacy, after their creation",
    days: 90,
    minimum: 1,
    reason: storageLimitation
  },
  events: { what: "Events, after they were recorded", days: 30, minimum: 1, reason: storageLimitation },
  deliveries: {
    what: "Webhook deliveries that ended, after their creation",
    days: 30,
    minimum: 1,
    reason: storageLimitation
  },
  holds: {
    what: "Holds that were never confirmed, after they were cancelled or, if they expired, after the end of their time",
    days: 1,
    minimum: 1,
    reason: storageLimitation
  },
  sessions: { what: "Booking sessions, after they ended", days: 1, minimum: 1, reason: storageLimitation },
  links: { what: "Action links, after they expired", days: 1, minimum: 1, reason: storageLimitation }
} as const satisfies Readonly<Record<string, Kind>>

export type RetentionKind = keyof typeof retentionKinds

const fields = Record.map(retentionKinds, ({ what, days, minimum }: Kind) =>
  integer(minimum, DAYS_MAX, `${what}: days (default ${days})`).annotations({ examples: [days] })
)

/** Days by kind; omitted kinds have the default. */
export const Retention = Schema.Struct(
  Record.map(fields, (field, kind) => Schema.optionalWith(field, { default: () => retentionKinds[kind].days }))
).annotations({ identifier: "Retention" })
export type Retention = typeof Retention.Type

export const RetentionChanges = changes(fields).annotations({
  description: "Days for which kinds of data are kept; those that are not named stay as they are"
})

export const defaultRetention: Retention = Record.map(retentionKinds, ({ days }: Kind) => days)

/** The differences from the defaults, as stored. */
export const ownRetention = (retention: Retention): Partial<Retention> =>
  Record.filter(retention, (days, kind) => days !== retentionKinds[kind].days)
