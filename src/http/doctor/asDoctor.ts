import { Effect } from "effect"
import { DoctorNotFound } from "../../schemas/scheduling/errors.ts"
import { CurrentDoctor, type DoctorAccess } from "../credentials/credentials.ts"

export const asDoctor = <A, E, R>(use: (doctor: DoctorAccess) => Effect.Effect<A, E, R>) =>
  Effect.flatMap(CurrentDoctor, use)

/** Authentication has found the doctor, so a missing one is a defect. */
export const existing = <A, E, R>(self: Effect.Effect<A, E | DoctorNotFound, R>) =>
  Effect.catchIf(self, (error) => error instanceof DoctorNotFound, Effect.die)
