/** The whole service, put together once. Tests build the same and only give it other settings. */
import { FetchHttpClient } from "@effect/platform"
import { BunContext } from "@effect/platform-bun"
import { Effect, Layer } from "effect"
import { Settings } from "../config.ts"
import { ServerLive } from "../http/Server.ts"
import { Workers } from "../jobs/Workers.ts"
import { ApiKeys } from "../services/access/ApiKeys.ts"
import { BookingTokenSecrets } from "../services/access/BookingTokenSecrets.ts"
import { OperatorKeys } from "../services/access/OperatorKeys.ts"
import { OrganisationKeys } from "../services/access/OrganisationKeys.ts"
import { Patients } from "../services/access/Patients.ts"
import { Staff } from "../services/access/Staff.ts"
import { AbandonedCheckouts } from "../services/checkout/acceptance/AbandonedCheckouts.ts"
import { Checkouts } from "../services/checkout/Checkouts.ts"
import { EmbeddedCheckout } from "../services/checkout/embedded/EmbeddedCheckout.ts"
import { Invoices } from "../services/checkout/Invoices.ts"
import { OrderIntake } from "../services/checkout/intake/OrderIntake.ts"
import { PrescriptionOrders } from "../services/checkout/PrescriptionOrders.ts"
import { Reservations } from "../services/checkout/Reservations.ts"
import { Treatments } from "../services/checkout/Treatments.ts"
import { DomainClock } from "../services/DomainClock.ts"
import { Deliveries } from "../services/events/Deliveries.ts"
import { DeliveryRunner } from "../services/events/DeliveryRunner.ts"
import { EventLog } from "../services/events/EventLog.ts"
import { Subscriptions } from "../services/events/Subscriptions.ts"
import { Jobs } from "../services/Jobs.ts"
import { MasterKeyRotation } from "../services/operation/MasterKeyRotation.ts"
import { Retention } from "../services/operation/Retention.ts"
import { SandboxClock } from "../services/operation/SandboxClock.ts"
import { Orders } from "../services/pharmacy/Orders.ts"
import { PayoutList } from "../services/pharmacy/PayoutList.ts"
import { Pharmacies } from "../services/pharmacy/Pharmacies.ts"
import { Routing } from "../services/pharmacy/Routing.ts"
import { Skus } from "../services/pharmacy/Skus.ts"
import { PrescriptionRendering } from "../services/prescriptions/PrescriptionRendering.ts"
import { PrescriptionSigner } from "../services/prescriptions/PrescriptionSigner.ts"
import { Prescriptions } from "../services/prescriptions/Prescriptions.ts"
import { Provisioning } from "../services/provisioning/Provisioning.ts"
import { ActionLinks } from "../services/scheduling/appointments/ActionLinks.ts"
import { AppointmentLists } from "../services/scheduling/appointments/AppointmentLists.ts"
import { Appointments } from "../services/scheduling/appointments/Appointments.ts"
import { FinishedAppointments } from "../services/scheduling/appointments/FinishedAppointments.ts"
import { LapsedHolds } from "../services/scheduling/appointments/LapsedHolds.ts"
import { Rebookings } from "../services/scheduling/appointments/Rebookings.ts"
import { Bookings } from "../services/scheduling/booking/Bookings.ts"
import { KeyHolds } from "../services/scheduling/booking/KeyHolds.ts"
import { SlotEngine } from "../services/scheduling/booking/SlotEngine.ts"
import { Meetings } from "../services/scheduling/joining/Meetings.ts"
import { MessagePlanner } from "../services/scheduling/messages/MessagePlanner.ts"
import { MessageSender } from "../services/scheduling/messages/MessageSender.ts"
import { AppointmentTypes } from "../services/scheduling/practice/AppointmentTypes.ts"
import { AvailabilityRules } from "../services/scheduling/practice/AvailabilityRules.ts"
import { DateOverrides } from "../services/scheduling/practice/DateOverrides.ts"
import { DoctorSettings } from "../services/scheduling/practice/DoctorSettings.ts"
import { Doctors } from "../services/scheduling/practice/Doctors.ts"
import { Reminders } from "../services/scheduling/practice/Reminders.ts"
import { ReminderPublisher } from "../services/scheduling/reminders/ReminderPublisher.ts"
import { BannerLive } from "./Banner.ts"
import { BossLive } from "./Boss.ts"
import { DatabaseLive } from "./Database.ts"
import { DatabaseSessionsLive } from "./DatabaseSessions.ts"
import { DueWorkLive } from "./DueWork.ts"
import { ProvisionedLive } from "./demo/Provisioned.ts"
import { FilesLive } from "./files/Files.ts"
import { IdentityLive } from "./identity/Identity.ts"
import { RateLimiterLive } from "./limits/RateLimiterLive.ts"
import { SecretBoxLive } from "./MasterKey.ts"
import { MigratedLive } from "./Migrate.ts"
import { MailerLive } from "./mail/MailerLive.ts"
import { PaymentsLive } from "./payments/Payments.ts"
import { CarriedPrescriptionsLive } from "./prescriptions/CarriedPrescriptions.ts"
import { ReadinessLive } from "./Readiness.ts"
import { SqlLive } from "./Sql.ts"
import { SmsGatewayLive } from "./sms/SmsGatewayLive.ts"
import { StorefrontsLive } from "./storefront/Storefronts.ts"
import { TelemetryLive } from "./Telemetry.ts"
import { Backlog } from "./telemetry/Backlog.ts"
import { WebhookSenderLive } from "./webhooks/WebhookSenderLive.ts"

/** What is done, whoever asks: every use-case of every domain. */
export const Services = Layer.mergeAll(
  DomainClock.Default,
  ApiKeys.Default,
  Patients.Default,
  AppointmentTypes.Default,
  AppointmentLists.Default,
  AvailabilityRules.Default,
  DateOverrides.Default,
  DoctorSettings.Default,
  Doctors.Default,
  Reminders.Default,
  SlotEngine.Default,
  Bookings.Default,
  Appointments.Default,
  Rebookings.Default,
  KeyHolds.Default,
  Meetings.Default,
  ActionLinks.Default,
  FinishedAppointments.Default,
  LapsedHolds.Default,
  BookingTokenSecrets.Default,
  OrganisationKeys.Default,
  OperatorKeys.Default,
  Staff.Default,
  MasterKeyRotation.Default,
  SandboxClock.Default.pipe(Layer.provide(DueWorkLive)),
  Prescriptions.Default,
  PrescriptionRendering.Default,
  PrescriptionSigner.Default,
  Provisioning.Default,
  Orders.Default,
  PayoutList.Default,
  Pharmacies.Default,
  Routing.Default,
  Skus.Default,
  Subscriptions.Default,
  Deliveries.Default,
  Checkouts.Default,
  AbandonedCheckouts.Default,
  Treatments.Default,
  Reservations.Default,
  PrescriptionOrders.Default,
  OrderIntake.Default,
  EmbeddedCheckout.Default,
  Invoices.Default,
  ReminderPublisher.Default,
  MessagePlanner.Default,
  MessageSender.Default,
  Retention.Default
).pipe(Layer.provideMerge(Layer.mergeAll(EventLog.Default, DeliveryRunner.Default)), Layer.provideMerge(Jobs.Default))

/** What the use-cases stand on, chosen by the settings. */
export const Ports = Layer.merge(CarriedPrescriptionsLive, StorefrontsLive).pipe(
  Layer.provideMerge(
    Layer.mergeAll(
      SecretBoxLive,
      ReadinessLive,
      IdentityLive,
      BossLive,
      DatabaseSessionsLive,
      PaymentsLive,
      FilesLive,
      RateLimiterLive,
      WebhookSenderLive,
      MailerLive,
      SmsGatewayLive
    )
  )
)

/**
 * Everything but the server: for the command line as well. `database` says whose the embedded database is, `telemetry`
 * where logs and traces go.
 */
export const backstage = (database: typeof DatabaseLive, telemetry: typeof TelemetryLive) =>
  Services.pipe(
    Layer.provideMerge(Ports),
    Layer.provideMerge(MigratedLive),
    Layer.provideMerge(SqlLive),
    Layer.provideMerge(database),
    Layer.provideMerge(Layer.mergeAll(BunContext.layer, FetchHttpClient.layer)),
    Layer.provideMerge(telemetry)
  )

/** What happens without a caller, in every process but those that only answer requests. */
const Working = Layer.unwrapEffect(
  Effect.map(Settings, ({ role }) => (role === "http" ? Layer.empty : Layer.merge(Workers, Backlog)))
)

/** The service: provisioned, then serving. Needs only its settings; gives every use-case, which tests ask directly. */
export const App = BannerLive.pipe(
  Layer.provideMerge(Layer.merge(ServerLive, Working)),
  Layer.provideMerge(ProvisionedLive),
  Layer.provideMerge(backstage(DatabaseLive, TelemetryLive))
)
