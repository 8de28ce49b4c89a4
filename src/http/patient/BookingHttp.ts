import { HttpServerResponse } from "@effect/platform"
import { Effect, Layer, Stream } from "effect"
import { type ListedAppointmentType, withoutPresentation } from "../../schemas/scheduling/AppointmentType.ts"
import { Bookings } from "../../services/scheduling/booking/Bookings.ts"
import { SlotEngine } from "../../services/scheduling/booking/SlotEngine.ts"
import { AppointmentTypes } from "../../services/scheduling/practice/AppointmentTypes.ts"
import { CurrentPatient } from "../credentials/credentials.ts"
import { group } from "../group.ts"
import { inData } from "../inData.ts"

export const BookingHttp = group("patient.booking", (handlers) =>
  Effect.gen(function* () {
    const types = yield* AppointmentTypes
    const engine = yield* SlotEngine
    const bookings = yield* Bookings
    return handlers
      .handle("appointment_types", ({ urlParams: { shop_uid, include } }) =>
        inData(
          Effect.map(types.ofShop(shop_uid), (all) =>
            all.map((type): ListedAppointmentType => (include === "presentation" ? type : withoutPresentation(type)))
          )
        )
      )
      .handle("search", ({ payload }) =>
        Effect.map(engine.search(payload), (found) =>
          "bytes" in found
            ? HttpServerResponse.uint8Array(found.bytes, { contentType: "application/json" })
            : HttpServerResponse.stream(Stream.fromIteratorSucceed(found.pieces, 1), {
                contentType: "application/json"
              })
        )
      )
      .handle("open_session", (request) =>
        Effect.flatMap(CurrentPatient, (patient) => bookings.open(patient, request.payload))
      )
      .handle("session", ({ path }) => bookings.session(path.booking_launch_code))
      .handle("hold", ({ path, payload }) => bookings.hold(path.booking_launch_code, payload))
      .handle("book", ({ path, payload }) => bookings.book(path.booking_launch_code, payload))
      .handle("confirm", ({ path, payload }) =>
        bookings.confirm(path.booking_launch_code, path.hold_uid, payload.visit_reason)
      )
  })
).pipe(Layer.provide([AppointmentTypes.Default, Bookings.Default, SlotEngine.Default]))
