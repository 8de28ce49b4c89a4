/** The demo's links: `/demo`, `/demo/practice` and `/demo/appointment` redirect to pages that a patient would have a code for. */
import { HttpServerResponse } from "@effect/platform"
import { Effect, Layer, Schema } from "effect"
import { Settings } from "../../../config.ts"
import { seeOther } from "../../../http/hosted/serving/pageHandler.ts"
import { Routes } from "../../../http/inRequest.ts"
import { makeHandleRequest } from "../../../http/ProblemsMiddleware.ts"
import { AppointmentUid, OrganisationUid } from "../../../schemas/ids.ts"
import { NewBookingSession } from "../../../schemas/scheduling/Booking.ts"
import { DAY } from "../../../schemas/seconds.ts"
import { DomainClock } from "../../../services/DomainClock.ts"
import { Patients } from "../../../services/patients/Patients.ts"
import { LinkIssuer } from "../../../services/scheduling/appointments/LinkIssuer.ts"
import { BookingRepo } from "../../../services/scheduling/booking/BookingRepo.ts"
import { Bookings } from "../../../services/scheduling/booking/Bookings.ts"
import { enter } from "../../../services/tenancy/Tenancy.ts"
import { demo } from "../../shared/services/demo.ts"

const DAYS = 31

interface Booked {
  readonly shop: string
  readonly consultation: string
  readonly customer: string
}

/** Opens a booking session for a patient of the demo. */
const openSession = Effect.fnUntraced(function* ({ shop: shop_uid, consultation, customer }: Booked) {
  const patients = yield* Patients
  const bookings = yield* Bookings
  const now = yield* Effect.flatMap(DomainClock, (clock) => clock.now)
  const shop = yield* patients.shop(shop_uid)
  yield* enter(shop)
  const patient = yield* patients.upsert(shop, customer, {})
  const request = yield* Effect.orDie(
    Schema.decodeUnknown(NewBookingSession)({
      mode: "booking",
      appointment_type_uid: consultation,
      from: now,
      to: now + DAYS * DAY
    })
  )
  const { launch_url } = yield* bookings.open(patient, request)
  return HttpServerResponse.redirect(launch_url, { status: 303 })
})

/** The page of the appointment whose patient waits. */
const openAppointment = Effect.gen(function* () {
  const appointments = yield* BookingRepo
  const issuer = yield* LinkIssuer
  const now = yield* Effect.flatMap(DomainClock, (clock) => clock.now)
  const organisation_uid = OrganisationUid.make(demo.practice.organisation)
  yield* enter({ organisation_uid })
  const appointment = yield* appointments.find(organisation_uid, AppointmentUid.make(demo.practice.appointment), now)
  const [[link] = []] = yield* issuer.issueAll([{ appointment, actions: ["join"], page: true }])
  return seeOther(link?.url ?? "/")
})

const routes = Routes.use((router) =>
  Effect.gen(function* () {
    const handleRequest = yield* makeHandleRequest
    const context = yield* Effect.context<Patients | Bookings | BookingRepo | DomainClock | LinkIssuer>()
    yield* router.get("/demo", handleRequest(Effect.provide(openSession(demo), context)))
    yield* router.get("/demo/practice", handleRequest(Effect.provide(openSession(demo.practice), context)))
    yield* router.get("/demo/appointment", handleRequest(Effect.provide(openAppointment, context)))
  })
)

/** Enabled with the demo world: without a provisioning file, and not in production. */
export const DemoHttp = Layer.unwrapEffect(
  Effect.map(Settings, ({ demoWorld }) => (demoWorld ? routes : Layer.empty))
).pipe(Layer.provide([Bookings.Default, BookingRepo.Default, LinkIssuer.Default, Patients.Default]))
