/** The demo world: one organisation with three doctors and realistic weeks. Every key in it is public. */
import { Array as Arr } from "effect"
import { organisationPermissions, type Permission } from "../../../../schemas/access/permissions.ts"
import { typeFields } from "../../../../schemas/scheduling/AppointmentType.ts"
import { demo } from "../../../shared/services/demo.ts"
import { pharmacyKey, pharmacyWorld } from "./pharmacy.ts"
import { brandingOf, consent, reminderOf } from "./records.ts"

/** Permissions of the partner's checkout key; the management key has all others. */
const checkoutPermissions: ReadonlyArray<Permission> = ["create_prescription_checkout", "create_treatment_checkout"]

const organisation_uid = demo.organisation

const doctors = [
  { uid: "doc_demo_1", display_name: "Dr. med. Demo Morgenrot", email: "doctor1@example.org", languages: ["de", "en"] },
  { uid: "doc_demo_2", display_name: "Dr. med. Demo Mittag", email: "doctor2@example.org", languages: ["de", "tr"] },
  { uid: "doc_demo_3", display_name: "Dr. med. Demo Abendrot", email: "doctor3@example.org", languages: ["de", "ar"] }
]

const practice = {
  profession: "Facharzt für Allgemeinmedizin",
  address: "Musterstraße 1, 10115 Berlin",
  phone: "+49 30 0000000",
  specialty: "Allgemeinmedizin"
}

const window = (doctor_uid: string, weekday: number, start_time: number, end_time: number, buffer_minutes = 5) => ({
  uid: `rul_${doctor_uid}_${weekday}_${start_time}`,
  doctor_uid,
  weekday,
  start_time,
  end_time,
  buffer_minutes
})

const weekdays = [0, 1, 2, 3, 4]

const availability_rules = [
  ...weekdays.flatMap((day) => [window("doc_demo_1", day, 540, 720), window("doc_demo_1", day, 780, 1020)]),
  ...[0, 1, 3].flatMap((day) => [window("doc_demo_2", day, 480, 780, 0), window("doc_demo_2", day, 840, 960, 0)]),
  ...[...weekdays, 5].map((day) => window("doc_demo_3", day, 960, 1260, 10))
]

const reminder = reminderOf(demo.consultation)

/** The provisioning file of the demo world. */
export const demoWorld = (): unknown => ({
  organisations: [
    {
      uid: organisation_uid,
      name: "Demo-Praxis",
      timezone: "Europe/Berlin",
      return_url_origins: ["http://localhost:3000", "https://example.org"],
      embed_origins: ["http://localhost:3000"],
      messages: ["confirmation", "cancellation", "rebooking"],
      branding: brandingOf("Demo-Praxis", "#1d5c8f", practice.phone, practice.address),
      // All visitors of /demo are the same patient
      patient_live_holds_max: 1_000,
      patient_future_appointments_max: 10_000,
      consent,
      admins: [{ uid: "adm_demo", display_name: "Demo-Verwaltung", email: "admin@example.org" }]
    }
  ],
  shops: [
    {
      uid: demo.shop,
      shop_identifier: demo.shopIdentifier,
      organisation_uid,
      name: "Demo-Shop",
      default_pharmacy_uid: pharmacyKey.pharmacy_uid,
      pharmacy_uids: [pharmacyKey.pharmacy_uid],
      anamnesis_sku_uids: ["sku_demo_finasterid"]
    }
  ],
  doctors: doctors.map((doctor) => ({ ...doctor, organisation_uid, ...practice })),
  patients: [
    {
      uid: "pat_demo",
      organisation_uid,
      shop_uid: demo.shop,
      shop_customer_id: demo.customer,
      profile: { first_name: "Demo", last_name: "Patient", email: "patient@example.org", language: "de" }
    },
    {
      uid: "pat_demo_2",
      organisation_uid,
      shop_uid: demo.shop,
      profile: { first_name: "Demo", last_name: "Patient" }
    }
  ],
  resources: [1, 2].map((number) => ({
    uid: `res_demo_room_${number}`,
    organisation_uid,
    kind: "room",
    name: `Behandlungsraum ${number}`,
    site: practice.address
  })),
  appointment_types: [
    {
      uid: demo.consultation,
      organisation_uid,
      name: "Sprechstunde",
      meeting_type: "CONSULTATION",
      duration_minutes: 20,
      hold_ttl_seconds: 600,
      booking_min_notice_minutes: 60,
      cancellation_min_notice_minutes: 120,
      rebooking_min_notice_minutes: 120,
      room_strategy: "per_appointment",
      rebooking_mode: "any_doctor_same_organisation",
      allow_patient_rebooking: true,
      ...typeFields.among({ waitlist: true })
    },
    {
      uid: "aty_demo_follow_up",
      organisation_uid,
      name: "Nachgespräch",
      meeting_type: "FOLLOW_UP",
      duration_minutes: 10,
      hold_ttl_seconds: 300,
      room_strategy: "persistent_per_provider",
      rebooking_mode: "same_doctor_only",
      doctor_assignment_mode: "selected_doctors_only",
      ...typeFields.among({ waitlist: true })
    }
  ],
  reminders: [
    reminder("rem_demo_day", "patient", 1440),
    reminder("rem_demo_hour", "patient", 60, true),
    reminder("rem_demo_doctor", "doctor", 15)
  ],
  availability_rules,
  doctor_appointment_type_settings: [
    { doctor_uid: "doc_demo_1", appointment_type_uid: "aty_demo_follow_up", booking_min_notice_minutes: 0 }
  ],
  api_keys: [
    {
      key: demo.managementKey,
      name: "Demo: management",
      permissions: Arr.difference(organisationPermissions, checkoutPermissions),
      organisation_uid
    },
    {
      key: demo.checkoutKey,
      name: "Demo: checkout",
      permissions: checkoutPermissions,
      organisation_uid
    },
    pharmacyKey
  ],
  ...pharmacyWorld,
  booking_token_secrets: [{ organisation_uid, key_id: demo.bookingKeyId, secret: demo.bookingSecret }]
})
