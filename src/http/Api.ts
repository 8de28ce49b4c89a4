/** The whole API, group by group, in the order of the specification. */
import { HttpApi, OpenApi } from "@effect/platform"
import { RECORD_LIMITS } from "../services/recordLimits.ts"
import { version } from "../version.ts"
import { AdminSchedulingApi } from "./admin/AdminSchedulingApi.ts"
import { LegacySecretsApi, SecretsApi } from "./admin/SecretsApi.ts"
import { CheckoutApi } from "./checkout/CheckoutApi.ts"
import { DoctorApi } from "./doctor/DoctorApi.ts"
import { AppointmentActionsApi } from "./management/AppointmentActionsApi.ts"
import { AppointmentsApi } from "./management/AppointmentsApi.ts"
import { NotificationSubscriptionsApi } from "./management/NotificationSubscriptionsApi.ts"
import { AppointmentTypesApi } from "./management/practice/AppointmentTypesApi.ts"
import { AvailabilityRulesApi } from "./management/practice/AvailabilityRulesApi.ts"
import { DateOverridesApi } from "./management/practice/DateOverridesApi.ts"
import { RemindersApi } from "./management/practice/RemindersApi.ts"
import { ActionLinksApi } from "./patient/ActionLinksApi.ts"
import { BookingApi } from "./patient/BookingApi.ts"
import { PatientAppointmentsApi } from "./patient/PatientAppointmentsApi.ts"
import { PharmacyOrdersApi } from "./pharmacy/PharmacyOrdersApi.ts"
import { PharmacySkusApi } from "./pharmacy/PharmacySkusApi.ts"
import { PharmacyWebhooksApi } from "./pharmacy/PharmacyWebhooksApi.ts"
import { FilesApi } from "./prescriptions/FilesApi.ts"
import { PrescriptionsApi } from "./prescriptions/PrescriptionsApi.ts"

export class Api extends HttpApi.make("sprechstunde")
  .add(AppointmentsApi)
  .add(AppointmentActionsApi)
  .add(AppointmentTypesApi)
  .add(RemindersApi)
  .add(AvailabilityRulesApi)
  .add(DateOverridesApi)
  .add(NotificationSubscriptionsApi)
  .add(BookingApi)
  .add(PatientAppointmentsApi)
  .add(ActionLinksApi)
  .add(DoctorApi)
  .add(AdminSchedulingApi)
  .add(SecretsApi)
  .add(LegacySecretsApi)
  .add(PharmacySkusApi)
  .add(PharmacyWebhooksApi)
  .add(PharmacyOrdersApi)
  .add(PrescriptionsApi)
  .add(FilesApi)
  .add(CheckoutApi)
  .annotate(OpenApi.Title, "Sprechstunde")
  .annotate(OpenApi.Version, version)
  .annotate(OpenApi.License, { name: "AGPL-3.0-or-later", url: "https://www.gnu.org/licenses/agpl-3.0.html" })
  .annotate(
    OpenApi.Description,
    `Telemedicine scheduling, prescriptions and pharmacy integration. All timestamps are Unix seconds.

The API has limits far above normal use. A doctor or a resource has at most ${RECORD_LIMITS.rules} weekly rules, and ${RECORD_LIMITS.overrides} overrides on one date; an organisation ${RECORD_LIMITS.doctors} doctors, ${RECORD_LIMITS.resources} resources, ${RECORD_LIMITS.allRules} rules, ${RECORD_LIMITS.allOverrides} future overrides, ${RECORD_LIMITS.appointmentTypes} appointment types with ${RECORD_LIMITS.typeTexts} bytes of texts for patients, ${RECORD_LIMITS.reminders} reminders for each type and ${RECORD_LIMITS.allReminders} in all, ${RECORD_LIMITS.shops} shops, ${RECORD_LIMITS.administrators} administrators, and ${RECORD_LIMITS.keys} API keys and as many booking-token secrets that are not revoked: one more is 400. How many requests run at a time is limited, fairly by organisation and credential: one that would wait too long is 503 \`overloaded\`, with \`Retry-After\`. A connection with dozens of pipelined requests is closed: send each request after the previous response, or use several connections.`
  ) {}
