/** The doctor's room: everything in it is the doctor's own, by the doctor's portal. */
import { HttpApiBuilder } from "@effect/platform"
import { Effect } from "effect"
import { at, Console } from "../serving/Console.tsx"
import { joinCall } from "./join.ts"
import { doctorLinks } from "./links.ts"
import { todayPage } from "./today.tsx"

export const DoctorRoom = HttpApiBuilder.Router.use((router) =>
  Effect.gen(function* () {
    const { page } = yield* Console
    yield* router.get(at("doctor"), page("doctor", doctorLinks, todayPage))
    yield* router.post(at("doctor/join"), yield* joinCall)
  })
)
