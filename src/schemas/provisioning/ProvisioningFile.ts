/** The provisioning file, which creates organisations, pharmacies, keys and other records. Every list is optional. */
import { Schema } from "effect"
import { FhirClientEntry } from "../fhir/FhirClient.ts"
import { Pharmacy, PharmacyGroup, PharmacyOrderEntry, PharmacySku, Product, Sku } from "./pharmacy.ts"
import { PrescriptionEntry } from "./prescriptions.ts"
import {
  AppointmentEntry,
  AppointmentTypeEntry,
  BusySourceEntry,
  OverrideEntry,
  RecallEntry,
  ReminderEntry,
  ResourceEntry,
  RuleEntry,
  SettingEntry,
  WaitlistEntryEntry
} from "./scheduling.ts"
import { ApiKeyEntry, BookingTokenSecret, Doctor, Organisation, Patient, Shop, StaffEntry } from "./tenancy.ts"

const list = <A, I>(entry: Schema.Schema<A, I>) => Schema.optionalWith(Schema.Array(entry), { default: () => [] })

export const ProvisioningFile = Schema.Struct({
  $schema: Schema.optionalWith(Schema.String, { exact: true }).annotations({
    description: "Address of this schema, for editors; not read"
  }),
  organisations: list(Organisation),
  shops: list(Shop),
  doctors: list(Doctor),
  staff: list(StaffEntry),
  patients: list(Patient),
  resources: list(ResourceEntry),
  appointment_types: list(AppointmentTypeEntry),
  reminders: list(ReminderEntry),
  availability_rules: list(RuleEntry),
  availability_date_overrides: list(OverrideEntry),
  doctor_appointment_type_settings: list(SettingEntry),
  busy_sources: list(BusySourceEntry),
  appointments: list(AppointmentEntry),
  waitlist_entries: list(WaitlistEntryEntry),
  recalls: list(RecallEntry),
  pharmacy_groups: list(PharmacyGroup),
  pharmacies: list(Pharmacy),
  products: list(Product),
  skus: list(Sku),
  pharmacy_skus: list(PharmacySku),
  api_keys: list(ApiKeyEntry),
  booking_token_secrets: list(BookingTokenSecret),
  fhir_clients: list(FhirClientEntry),
  prescriptions: list(PrescriptionEntry),
  pharmacy_orders: list(PharmacyOrderEntry)
}).annotations({ parseOptions: { errors: "all", onExcessProperty: "error" } })
export type ProvisioningFile = typeof ProvisioningFile.Type
