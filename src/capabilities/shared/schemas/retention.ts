/** The retention period of each kind of data, and its reason (section 12.6). */
import { Record, Schema } from "effect"
import { changes, integer, later } from "../../../schemas/fields.ts"
import { addedRetentionKinds, type RetentionKind } from "../../../schemas/patients/retentionKinds.ts"

/** § 630f (3) BGB. */
export const TEN_YEARS = 3653
const EIGHT_YEARS = 2922
const THREE_YEARS = 1096
const DAYS_MAX = 36_525

const storageLimitation = "Art. 5 (1) (e) GDPR: not needed after that"
const limitationPeriod = "§§ 195, 199 BGB: until claims are time-barred"

const ownKinds = {
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
} as const satisfies Readonly<Record<string, RetentionKind>>

/** By name: the core's, and those of the capabilities that are on. */
export const retentionKinds = (): Readonly<Record<string, RetentionKind>> => ({
  ...ownKinds,
  ...addedRetentionKinds()
})
/** One of the core. */
export const ownKind = (name: keyof typeof ownKinds): RetentionKind & { readonly name: string } => ({
  name,
  ...ownKinds[name]
})

/** Days by kind. */
export type Retention = Readonly<Record<keyof typeof ownKinds, number>> & Readonly<Record<string, number>>

const fieldOf = ({ what, days, minimum }: RetentionKind) =>
  integer(minimum, DAYS_MAX, `${what}: days (default ${days})`).annotations({ examples: [days] })

/** Omitted kinds have the default. */
export const Retention = later("Retention", () =>
  Schema.Struct(
    Record.map(retentionKinds(), (kind) => Schema.optionalWith(fieldOf(kind), { default: () => kind.days }))
  )
) as unknown as Schema.Schema<Retention, Readonly<Record<string, number | undefined>>> // which kinds there are is known at start

export const RetentionChanges = later("RetentionChanges", () =>
  changes(Record.map(retentionKinds(), fieldOf)).annotations({
    description: "Days for which kinds of data are kept; those that are not named stay as they are"
  })
) as unknown as Schema.Schema<Readonly<Record<string, number>>>

export const defaultRetention = () => Record.map(retentionKinds(), ({ days }) => days) as Retention

/** The differences from the defaults, as stored. */
export const ownRetention = (retention: Retention) =>
  Record.filter(retention as Readonly<Record<string, number>>, (days, kind) => days !== retentionKinds()[kind]?.days)
