import { Effect } from "effect"
import { Conditional } from "../../../http/conditional.ts"
import { asKey } from "../../../http/credentials/credentials.ts"
import { groupOf } from "../../../http/group.ts"
import { inData } from "../../../http/inData.ts"
import { problemOf } from "../../../http/problems.ts"
import { byKey, wholeRecords } from "../../../http/records.ts"
import { Absence, AbsenceQuery, type NewAbsence } from "../schemas/Absence.ts"
import { Absences } from "../services/Absences.ts"
import { AbsencesApi } from "./AbsencesApi.ts"

const group = groupOf(AbsencesApi)
const absenceHandling = wholeRecords(Absence, AbsenceQuery)

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
)
