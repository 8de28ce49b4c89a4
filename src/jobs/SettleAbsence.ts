import { Effect, Layer } from "effect"
import { Absences } from "../services/scheduling/calendar/Absences.ts"
import { worker } from "./worker.ts"

/** Moves and cancels the appointments of an absence. */
export const SettleAbsence = Layer.unwrapEffect(
  Effect.map(Absences, ({ settle }) =>
    worker("absence.settle", ({ organisation_uid, absence_uid }) => settle(organisation_uid, absence_uid))
  )
).pipe(Layer.provide(Absences.Default))
