/** The doctor's workspace, which shows the doctor's own records by the doctor API. */
import { Effect } from "effect"
import { Settings } from "../../../../config.ts"
import { Routes } from "../../../../http/inRequest.ts"
import { addedStaffPages } from "../../../shared/http/pages.ts"
import type { ConsoleTexts } from "../../texts/catalogue.ts"
import { at, Console } from "../serving/Console.tsx"
import { additionsAt, withBelow } from "../serving/withBelow.ts"
import { joinCall } from "./join.ts"
import { appointment, calendars, call, hours, patient, patients, prescriptions, today, week } from "./pages.tsx"

const links = ({ doctor: { pages } }: ConsoleTexts) =>
  [
    ["/console/doctor", pages.today],
    ["/console/doctor/week", pages.week],
    ["/console/doctor/patients", pages.patients],
    ["/console/doctor/hours", pages.hours],
    ["/console/doctor/calendars", pages.calendars],
    ["/console/doctor/prescriptions", pages.prescriptions]
  ] as const

export const DoctorWorkspace = Routes.use((router) =>
  Effect.gen(function* () {
    const { page, redirecting } = yield* Console
    const additions = yield* addedStaffPages
    yield* router.get(at("doctor"), page("doctor", links, withBelow(additions, "doctor", today)))
    yield* router.get(at("doctor/week"), page("doctor", links, week))
    yield* router.get(at("doctor/patients"), page("doctor", links, patients))
    yield* router.get(at("doctor/hours"), page("doctor", links, hours))
    yield* router.get(
      at("doctor/calendars"),
      page("doctor", links, withBelow(additions, "doctor/calendars", calendars))
    )
    yield* router.get(at("doctor/prescriptions"), page("doctor", links, prescriptions))
    yield* router.get(at("doctor/appointments/:uid"), redirecting("doctor", appointment))
    yield* router.get(at("doctor/appointments/:uid/call"), page("doctor", links, call(yield* Settings)))
    yield* router.get(
      at("doctor/patients/:uid"),
      page("doctor", links, patient(additionsAt(additions, "doctor/patients/:uid")))
    )
    yield* router.post(at("doctor/join"), (yield* joinCall).handler)
  })
)
