/** Services that tests call directly: the same instances as those of the server under test. */
import { HttpApiBuilder } from "@effect/platform"
import { Layer } from "effect"
import { OrderIntake } from "../../src/capabilities/shared/services/intake/OrderIntake.ts"
import { Provisioning } from "../../src/capabilities/shared/services/provisioning/Provisioning.ts"
import { AuditLog } from "../../src/services/audit/AuditLog.ts"
import { AbandonedCheckouts } from "../../src/services/checkout/acceptance/AbandonedCheckouts.ts"
import { AcceptancesRepo } from "../../src/services/checkout/acceptance/AcceptancesRepo.ts"
import { Invoices } from "../../src/services/checkout/Invoices.ts"
import { DeliveryRunner } from "../../src/services/events/DeliveryRunner.ts"
import { MessageSender } from "../../src/services/notifications/MessageSender.ts"
import { Consents } from "../../src/services/patients/Consents.ts"
import { Patients } from "../../src/services/patients/Patients.ts"
import { Orders } from "../../src/services/pharmacy/Orders.ts"
import { PayoutList } from "../../src/services/pharmacy/PayoutList.ts"
import { Pharmacies } from "../../src/services/pharmacy/Pharmacies.ts"
import { Routing } from "../../src/services/pharmacy/Routing.ts"
import { Skus } from "../../src/services/pharmacy/Skus.ts"
import { PrescriptionFiles } from "../../src/services/prescriptions/PrescriptionFiles.ts"
import { PrescriptionRenderer } from "../../src/services/prescriptions/PrescriptionRenderer.ts"
import { PrescriptionRendering } from "../../src/services/prescriptions/PrescriptionRendering.ts"
import { PrescriptionSigner } from "../../src/services/prescriptions/PrescriptionSigner.ts"
import { Prescriptions } from "../../src/services/prescriptions/Prescriptions.ts"
import { PrescriptionsRepo } from "../../src/services/prescriptions/PrescriptionsRepo.ts"
import { ActionLinks } from "../../src/services/scheduling/appointments/ActionLinks.ts"
import { AppointmentLists } from "../../src/services/scheduling/appointments/AppointmentLists.ts"
import { Appointments } from "../../src/services/scheduling/appointments/Appointments.ts"
import { OverdueAppointments } from "../../src/services/scheduling/appointments/OverdueAppointments.ts"
import { Rebookings } from "../../src/services/scheduling/appointments/Rebookings.ts"
import { BookingRepo } from "../../src/services/scheduling/booking/BookingRepo.ts"
import { Bookings } from "../../src/services/scheduling/booking/Bookings.ts"
import { HoldManager } from "../../src/services/scheduling/booking/HoldManager.ts"
import { KeyHolds } from "../../src/services/scheduling/booking/KeyHolds.ts"
import { SlotEngine } from "../../src/services/scheduling/booking/SlotEngine.ts"
import { ReminderPublisher } from "../../src/services/scheduling/reminders/ReminderPublisher.ts"
import { AddedServices } from "./addedServices.ts"

export const TestedServices = Layer.mergeAll(
  AddedServices,
  AuditLog.Default,
  AbandonedCheckouts.Default,
  AcceptancesRepo.Default,
  Invoices.Default,
  Consents.Default,
  Patients.Default,
  DeliveryRunner.Default,
  AppointmentLists.Default,
  ActionLinks.Default,
  Appointments.Default,
  BookingRepo.Default,
  Bookings.Default,
  PayoutList.Default,
  OverdueAppointments.Default,
  Rebookings.Default,
  HoldManager.Default,
  KeyHolds.Default,
  SlotEngine.Default,
  MessageSender.Default,
  OrderIntake.Default,
  Orders.Default,
  PrescriptionFiles.Default,
  PrescriptionRendering.Default,
  PrescriptionRenderer.Default,
  Prescriptions.Default,
  PrescriptionsRepo.Default,
  PrescriptionSigner.Default,
  Provisioning.Default,
  ReminderPublisher.Default,
  Routing.Default,
  Pharmacies.Default,
  Skus.Default,
  HttpApiBuilder.Router.Live
)
