/** The kinds of event that the service tells of (specification §6). */
import { Schema } from "effect"

export const EventType = Schema.Literal(
  "patient_doctor_meeting_updated",
  "rebooked",
  "scheduling.appointment_reminder_due",
  "prescription.render",
  "prescription.rendered",
  "pharmacy_manager.send_prescription",
  "pharmacy_order.created",
  "pharmacy_order.status_updated",
  "pharmacy_order.completed",
  "pharmacy_sku.updated"
)
export type EventType = typeof EventType.Type
