/** What `test` sends: an event as a subscriber will see it, with nobody real in it. */
import type { EventType } from "../../schemas/events/Event.ts"

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
const order = { uid: "pho_example", name: "#1001", status: "new", paid: true }

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
  "pharmacy_order.completed": { order: { ...order, status: "completed" } },
  "pharmacy_sku.updated": { pharmacy_sku: { uid: "psk_example", external_id: "A-1", price: 1_990, stock: 12 } }
}
