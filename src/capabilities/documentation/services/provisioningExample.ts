/** A sample provisioning file with an entry in every list. Its keys and secrets are newly generated. */
import { Effect } from "effect"
import { organisationPermissions, pharmacyPermissions } from "../../../schemas/access/permissions.ts"
import { newCode } from "../../../services/uid.ts"
import { exampleUids } from "../../shared/services/exampleUids.ts"

const {
  organisation_uid,
  shop_uid,
  doctor_uid,
  patient_uid,
  resource_uid,
  appointment_type_uid,
  pharmacy_uid,
  sku_uid
} = exampleUids

/** `$schema` is the file to which `cli provision --schema` is to be written. */
export const exampleFile = Effect.gen(function* () {
  return {
    $schema: "./provisioning.schema.json",
    organisations: [
      {
        uid: organisation_uid,
        name: "Practice",
        timezone: "Europe/Berlin",
        return_url_origins: ["https://shop.example.org"],
        embed_origins: ["https://shop.example.org"],
        messages: ["confirmation", "cancellation", "rebooking"],
        branding: {
          accent_colour: "#0a6b63",
          phone: "+49 30 0000000",
          address: "Musterstraße 1, 10115 Berlin",
          imprint_url: "https://shop.example.org/imprint",
          privacy_url: "https://shop.example.org/privacy",
          support_email: "desk@example.org",
          sender_name: "Practice",
          reply_to: "desk@example.org"
        },
        admins: [{ uid: "adm_1", display_name: "Front desk", email: "desk@example.org" }]
      }
    ],
    shops: [
      {
        uid: shop_uid,
        shop_identifier: "practice",
        organisation_uid,
        name: "Shop of the practice",
        default_pharmacy_uid: pharmacy_uid,
        storefront: { kind: "embedded" }
      }
    ],
    doctors: [
      {
        uid: doctor_uid,
        organisation_uid,
        display_name: "Dr. Weber",
        email: "weber@example.org",
        specialty: "General practitioner",
        languages: ["de", "en"]
      }
    ],
    patients: [
      {
        uid: patient_uid,
        organisation_uid,
        shop_uid,
        shop_customer_id: "1",
        profile: { first_name: "Kim", last_name: "Muster", email: "kim@example.org", language: "de" }
      }
    ],
    booking_token_secrets: [{ organisation_uid, key_id: "bts_practice", secret: yield* newCode("sec") }],
    resources: [
      {
        uid: resource_uid,
        organisation_uid,
        kind: "room",
        name: "Room 1",
        site: "Main Street 1, first floor",
        always_available: false
      }
    ],
    appointment_types: [
      {
        uid: appointment_type_uid,
        organisation_uid,
        name: "Consultation",
        meeting_type: "CONSULTATION",
        duration_minutes: 20,
        hold_ttl_seconds: 600,
        booking_min_notice_minutes: 60,
        room_strategy: "per_appointment",
        rebooking_mode: "same_doctor_only",
        allow_patient_rebooking: true,
        description: "For new complaints and questions about your treatment.",
        preparation: "Please have your list of medicines at hand.",
        cancellation_rule: "Free of charge until 24 hours before.",
        price: "Paid by statutory health insurance",
        translations: [{ language: "de", name: "Sprechstunde", price: "Kassenleistung" }],
        limits: [{ per: "day", max: 12 }]
      }
    ],
    reminders: [
      { uid: "rem_day", appointment_type_uid, recipient_role: "patient", minutes_before: 1440, send_email: true }
    ],
    availability_rules: [
      { uid: "rul_monday", doctor_uid, weekday: 0, start_time: 540, end_time: 720 },
      { uid: "rul_room_monday", resource_uid, weekday: 0, start_time: 480, end_time: 1200 }
    ],
    availability_date_overrides: [{ uid: "ovr_new_year", doctor_uid, date: 1_893_456_000, day_off: true }],
    doctor_appointment_type_settings: [{ doctor_uid, appointment_type_uid, booking_min_notice_minutes: 120 }],
    appointments: [
      {
        uid: "apt_1",
        organisation_uid,
        doctor_uid,
        patient_uid,
        appointment_type_uid,
        status: "confirmed",
        start_date: 1_893_834_000,
        end_date: 1_893_835_200
      }
    ],
    pharmacy_groups: [{ uid: "phg_corner", name: "Corner pharmacies" }],
    pharmacies: [
      {
        uid: pharmacy_uid,
        name: "Corner pharmacy",
        group_uid: "phg_corner",
        payout_terms: { commission_bps: 500, markup_share_bps: 5000 }
      }
    ],
    products: [{ uid: "prd_ibuprofen", display_name: "Ibuprofen", handle: "ibuprofen" }],
    skus: [
      {
        uid: sku_uid,
        product_uid: "prd_ibuprofen",
        display_name: "400 mg, 20 tablets",
        standard_selling_unit: 20,
        unit: "tablets",
        selling_price: 699
      }
    ],
    pharmacy_skus: [{ uid: "psk_1", pharmacy_uid, sku_uid, external_id: "4711", price: 549, stock: 100 }],
    api_keys: [
      { key: yield* newCode("spr"), name: "Practice software", permissions: organisationPermissions, organisation_uid },
      { key: yield* newCode("spr"), name: "Pharmacy software", permissions: pharmacyPermissions, pharmacy_uid }
    ],
    prescriptions: [
      {
        uid: "prs_1",
        organisation_uid,
        shop_uid,
        doctor_uid,
        status: "WAITING_FOR_DOCTOR",
        patient: { first_name: "Kim", last_name: "Muster", date_of_birth: 641_520_000, gender: "divers" },
        items: [{ sku_uid, quantity: 1, dosage: "1-0-1" }]
      }
    ],
    pharmacy_orders: [
      {
        uid: "pho_1",
        name: "#1001",
        pharmacy_uid,
        shop_uid,
        prescription_uid: "prs_1",
        lines: [{ sku_uid, quantity: 1, unit_price: 699 }]
      }
    ]
  }
})
