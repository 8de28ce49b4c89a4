import { Effect, Layer } from "effect"
import { Absence, AbsenceQuery, type NewAbsence } from "../../../schemas/scheduling/Absence.ts"
import { Absences } from "../../../services/scheduling/calendar/Absences.ts"
import { Conditional } from "../../conditional.ts"
import { asKey } from "../../credentials/credentials.ts"
import { group } from "../../group.ts"
import { inData } from "../../inData.ts"
import { problemOf } from "../../problems.ts"
import { byKey, wholeRecords } from "../../records.ts"

const absenceHandling = wholeRecords("absences", Absence, AbsenceQuery)

export const AbsencesHttp = group("management.absences", (handlers) =>
  Effect.zipWith(Absences, Conditional, (service, conditional) => {
    const absences = absenceHandling(service, conditional, byKey, "absence_uid")
    return handlers
      .handle("list", absences.list)
      .handle(
        "create",
        absences.create((_, absence: NewAbsence) => asKey((caller) => service.create(caller, absence)))
      )
      .handle("get", absences.read(service.get))
      .handle("appointments", ({ path }) =>
        inData(
          Effect.map(
            asKey((caller) => service.settledOf(caller, path.absence_uid)),
            (rows) =>
              rows.map(({ fault, ...row }) => ({
                ...row,
                code: fault === null ? null : (problemOf(fault)?.code ?? fault)
              }))
          )
        )
      )
      .handle("ask_again", ({ path, payload }) =>
        asKey((caller) => service.askAgain(caller, path.absence_uid, payload)).pipe(absences.tagged)
      )
      .handle("update", absences.update(service.update))
      .handle("remove", absences.remove(service.remove))
  })
).pipe(Layer.provide([Absences.Default]))
