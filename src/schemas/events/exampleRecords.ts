/** The records in the examples of events; all of them are fictitious. */
import type { Actor } from "../access/Actor.ts"
import type { PatientReference } from "../access/Patient.ts"
import type { PharmacyOrder } from "../pharmacy/PharmacyOrder.ts"
import type { PharmacySku } from "../pharmacy/PharmacySku.ts"
import type { Appointment } from "../scheduling/Appointment.ts"
import type { Reminder } from "../scheduling/Reminder.ts"

const created_at = 1_893_400_000

export const actor: Actor = { kind: "system", uid: "example" }

export const patient: typeof PatientReference.Encoded = {
  uid: "pat_example",
  shop_uid: "shp_example",
  shop_customer_id: "customer-example",
  created_at,
  updated_at: created_at
}

export const patientReference = { patient_uid: "pat_example" }

export const appointment: typeof Appointment.Encoded = {
  uid: "apt_example",
  status: "confirmed",
  doctor_uid: "doc_example",
  doctor_display_name: "Dr. Example",
  patient_uid: "pat_example",
  patient_display_name: "Example Patient",
  appointment_type_uid: "aty_example",
  appointment_type_name: "Consultation",
  visit_reason: null,
  meeting_type: "CONSULTATION",
  meeting_format: "DIGITAL",
  start_date: 1_893_492_000,
  end_date: 1_893_493_200,
  created_at,
  updated_at: created_at,
  cancelled_at: null,
  cancellation_reason: null,
  resources: [{ uid: "res_example", kind: "room", name: "Room 1" }],
  further_doctors: [],
  previous_meeting_uid: null,
  series_uid: null
}

export const reminder: typeof Reminder.Encoded = {
  uid: "rem_example",
  appointment_type_uid: "aty_example",
  recipient_role: "doctor",
  minutes_before: 60,
  send_email: false,
  send_sms: false,
  active: true,
  updated_at: created_at
}

export const file = { sha256: "0".repeat(64), size: 27_000 }

export const prescription = {
  uid: "prs_example",
  status: "externally_signed",
  doctor: { uid: "doc_example", display_name: "Dr. Example" },
  items: [{ uid: "prs_example_1", sku_uid: "sku_example", quantity: 1, dosage: "1-0-1", anamnesis_uid: null }],
  file
} as const

export const order: typeof PharmacyOrder.Encoded = {
  uid: "pho_example",
  name: "#1001",
  status: "new",
  status_reason: null,
  paid: true,
  paid_amount: 2_480,
  refunded_amount: 0,
  shop_change: null,
  prescription_uid: "prs_example",
  prescription_file: null,
  shipping_price: 490,
  currency: "EUR",
  lines: [
    {
      uid: "pho_example_1",
      sku_uid: "sku_example",
      pharmacy_sku_uid: "psk_example",
      external_id: "A-1",
      pzn: null,
      display_name: "Example drops 10 ml",
      product_display_name: "Example drops",
      quantity: 1,
      unit_price: 1_990,
      total_price: 1_990
    }
  ],
  patient: { first_name: "Example", last_name: "Patient", date_of_birth: 631_152_000, gender: "divers" },
  shipping_address: null,
  tracking: null,
  problem: null,
  undo: null,
  parked_payouts: [],
  created_at,
  updated_at: created_at,
  completed_at: null
}

export const pharmacySku: typeof PharmacySku.Encoded = {
  uid: "psk_example",
  external_id: "A-1",
  price: 1_990,
  stock: 12,
  pharmacy: "pha_example",
  sku: {
    uid: "sku_example",
    display_name: "Example drops 10 ml",
    pzn: null,
    product_uid: "prd_example",
    product_display_name: "Example drops",
    standard_selling_unit: 10,
    unit: "ml",
    product_handle: "example-drops",
    digital: false
  },
  created_at,
  updated_at: created_at,
  deleted_at: null
}
