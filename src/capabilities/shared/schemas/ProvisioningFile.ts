/** The provisioning file, which creates organisations, pharmacies, keys and other records. Every list is optional. */
import { Record, Schema } from "effect"
import { Pharmacy, PharmacyGroup, PharmacySku, Product, Sku } from "../../../schemas/provisioning/pharmacy.ts"
import { PrescriptionEntry } from "../../../schemas/provisioning/prescriptions.ts"
import {
  AppointmentEntry,
  AppointmentTypeEntry,
  OverrideEntry,
  ReminderEntry,
  ResourceEntry,
  RuleEntry
} from "../../../schemas/provisioning/scheduling.ts"
import { ApiKeyEntry, BookingTokenSecret, Doctor, Patient } from "../../../schemas/provisioning/tenancy.ts"
import { Organisation, PharmacyOrderEntry, SettingEntry, Shop } from "./provisionedRecords.ts"

const list = <A, I>(entry: Schema.Schema<A, I>) => Schema.optionalWith(Schema.Array(entry), { default: () => [] })

const core = {
  $schema: Schema.optionalWith(Schema.String, { exact: true }).annotations({
    description: "Address of this schema, for editors; not read"
  }),
  organisations: list(Organisation),
  shops: list(Shop),
  doctors: list(Doctor),
  patients: list(Patient),
  resources: list(ResourceEntry),
  appointment_types: list(AppointmentTypeEntry),
  reminders: list(ReminderEntry),
  availability_rules: list(RuleEntry),
  availability_date_overrides: list(OverrideEntry),
  doctor_appointment_type_settings: list(SettingEntry),
  appointments: list(AppointmentEntry),
  pharmacy_groups: list(PharmacyGroup),
  pharmacies: list(Pharmacy),
  products: list(Product),
  skus: list(Sku),
  pharmacy_skus: list(PharmacySku),
  api_keys: list(ApiKeyEntry),
  booking_token_secrets: list(BookingTokenSecret),
  prescriptions: list(PrescriptionEntry),
  pharmacy_orders: list(PharmacyOrderEntry)
}

/** Lists by name, each with the schema of its entries and those of the example file. */
export type AddedLists = Readonly<
  Record<string, { readonly entry: Schema.Schema.AnyNoContext; readonly example: ReadonlyArray<unknown> }>
>

/** Names of the lists of a file. */
export const provisionedLists = (added: AddedLists) =>
  [...Object.keys(core), ...Object.keys(added)].filter((name) => name !== "$schema")

const Core = Schema.Struct(core)
/** The core's lists; those of capabilities have their own entries. */
export type ProvisioningFile = typeof Core.Type

/** The schema of a file with these lists beside the core's. */
export const provisioningFile = (added: AddedLists = {}): Schema.Schema<ProvisioningFile, typeof Core.Encoded> =>
  Schema.Struct({
    ...core,
    ...Record.map(added, ({ entry }) => list(entry as Schema.Schema<unknown>))
  }).annotations({
    parseOptions: { errors: "all", onExcessProperty: "error" }
  })
