/** `/demo`: redirects to a new booking session of the demo world. */
import { HttpApiBuilder, HttpServerResponse } from "@effect/platform"
import { Effect, Layer, Schema } from "effect"
import { Settings } from "../../config.ts"
import { NewBookingSession } from "../../schemas/scheduling/Booking.ts"
import { DAY } from "../../schemas/seconds.ts"
import { Patients } from "../../services/access/Patients.ts"
import { DomainClock } from "../../services/DomainClock.ts"
import { demo } from "../../services/provisioning/demo.ts"
import { Bookings } from "../../services/scheduling/booking/Bookings.ts"
import { enter } from "../../services/tenancy/Tenancy.ts"
import { handleRequest } from "../ProblemsMiddleware.ts"

const DAYS = 31

const openDemoSession = Effect.gen(function* () {
  const patients = yield* Patients
  const bookings = yield* Bookings
  const now = yield* Effect.flatMap(DomainClock, (clock) => clock.now)
  const shop = yield* patients.shop(demo.shop)
  yield* enter(shop)
  const patient = yield* patients.upsert(shop, demo.customer, {})
  const request = yield* Effect.orDie(
    Schema.decodeUnknown(NewBookingSession)({
      mode: "booking",
      appointment_type_uid: demo.consultation,
      from: now,
      to: now + DAYS * DAY
    })
  )
  const { launch_url } = yield* bookings.open(patient, request)
  return HttpServerResponse.redirect(launch_url, { status: 303 })
})

const routes = HttpApiBuilder.Router.use((router) =>
  Effect.gen(function* () {
    const context = yield* Effect.context<Patients | Bookings | DomainClock>()
    yield* router.get("/demo", handleRequest(Effect.provide(openDemoSession, context)))
  })
)

/** Enabled with the demo world: without a provisioning file, and not in production. */
export const DemoHttp = Layer.unwrapEffect(
  Effect.map(Settings, ({ demoWorld }) => (demoWorld ? routes : Layer.empty))
).pipe(Layer.provide([Bookings.Default, DomainClock.Default, Patients.Default]))
