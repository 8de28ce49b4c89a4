/** The whole interface, group by group, in the order of the specification. */
import { HttpApi, OpenApi } from "@effect/platform"
import { AppointmentTypesApi } from "./management/AppointmentTypesApi.ts"
import { BookingApi } from "./patient/BookingApi.ts"

export class Api extends HttpApi.make("sprechstunde")
  .add(AppointmentTypesApi)
  .add(BookingApi)
  .annotate(OpenApi.Title, "Sprechstunde")
  .annotate(OpenApi.Version, "1.0.0")
  .annotate(
    OpenApi.Description,
    "Telemedicine scheduling, prescriptions and pharmacy integration. All timestamps are Unix seconds."
  ) {}
