/** What `test` sends: an event as a subscriber will see it, with nobody real in it. */
import type { EventType } from "../../schemas/events/Event.ts"
import type { PharmacyOrder } from "../../schemas/pharmacy/PharmacyOrder.ts"
import type { PharmacySku } from "../../schemas/pharmacy/PharmacySku.ts"

const appointment = {
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
  created_at: 1_893_400_000,
  cancelled_at: null,
  cancellation_reason: null,
  previous_meeting_uid: null
}
const actor = { kind: "system", uid: "example" }
const reminder = {
  uid: "rem_example",
  appointment_type_uid: "aty_example",
  recipient_role: "doctor",
  minutes_before: 60,
  send_email: false,
  send_sms: false,
  active: true
}
const recipient = { role: "doctor", uid: "doc_example", display_name: "Dr. Example", email: null, phone: null }
const created_at = 1_893_400_000
const line = {
  uid: "pho_example_1",
  sku_uid: "sku_example",
  pharmacy_sku_uid: "psk_example",
  external_id: "A-1",
  pzn: null,
  display_name: "Example drops 10 ml",
  quantity: 1,
  unit_price: 1_990
}
const order: typeof PharmacyOrder.Encoded = {
  uid: "pho_example",
  name: "#1001",
  status: "new",
  status_reason: null,
  paid: true,
  prescription_uid: "prs_example",
  prescription_file: null,
  shipping_price: 490,
  currency: "EUR",
  lines: [line],
  patient: { first_name: "Example", last_name: "Patient", date_of_birth: 631_152_000, gender: "divers" },
  shipping_address: null,
  tracking: null,
  parked_payouts: [],
  created_at,
  updated_at: created_at,
  completed_at: null
}
const pharmacy_sku: typeof PharmacySku.Encoded = {
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

const prescription_uid = "prs_example"
const file = { sha256: "0".repeat(64), size: 27_000 }
const item = { uid: "prs_example_1", sku_uid: "sku_example", quantity: 1, dosage: "1-0-1", anamnesis_uid: null }
const doctor = { uid: "doc_example", display_name: "Dr. Example" }
const prescription = { uid: prescription_uid, status: "externally_signed", doctor, items: [item], file }

/** `data` of an example event of each type; `example: true` tells it from a real one. */
export const exampleData = (type: EventType): Readonly<Record<string, unknown>> => ({ example: true, ...data[type] })

const data: Readonly<Record<EventType, Readonly<Record<string, unknown>>>> = {
  patient_doctor_meeting_updated: { change: "confirmed", appointment, actor },
  rebooked: {
    appointment: { ...appointment, previous_meeting_uid: "apt_example_before" },
    previous_meeting_uid: "apt_example_before",
    actor
  },
  "scheduling.appointment_reminder_due": { appointment, reminder, recipient, visit_reason: null, action_links: [] },
  "prescription.render": { prescription_uid, actor },
  "prescription.rendered": { prescription_uid, file },
  "pharmacy_manager.send_prescription": { prescription_uid, prescription, pharmacy_order_uid: order.uid },
  "pharmacy_order.created": { order },
  "pharmacy_order.status_updated": { order: { ...order, status: "accepted" } },
  "pharmacy_order.completed": { order: { ...order, status: "completed", completed_at: created_at } },
  "pharmacy_sku.updated": { pharmacy_sku }
}
