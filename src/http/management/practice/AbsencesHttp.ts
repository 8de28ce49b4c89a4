import { Effect, Layer } from "effect"
import type { AbsenceUid, OrganisationUid } from "../../../schemas/ids.ts"
import { Listed } from "../../../schemas/paging.ts"
import { Absence, AbsenceQuery } from "../../../schemas/scheduling/Absence.ts"
import { Idempotency } from "../../../services/Idempotency.ts"
import { Absences } from "../../../services/scheduling/calendar/Absences.ts"
import { Conditional, listTags, recordTags } from "../../conditional.ts"
import { CurrentOrganisationKey, currentOrganisation } from "../../credentials/credentials.ts"
import { group } from "../../group.ts"
import { holders, idempotent } from "../../idempotent.ts"
import { inData } from "../../inData.ts"
import { problemOf } from "../../problems.ts"

const single = recordTags(Absence)
const listed = listTags(Listed(Absence), AbsenceQuery)

export const AbsencesHttp = group("management.absences", (handlers) =>
  Effect.zipWith(Absences, Conditional, (absences, { changeIfMatch }) => {
    const tags = (owner: OrganisationUid, uid: AbsenceUid) => ({
      record: Effect.map(absences.findForChange(owner, uid), single.tagOf),
      isListed: listed.isCurrent((query) => inData(absences.list(owner, query)))
    })
    return handlers
      .handle("list", ({ urlParams }) =>
        listed.tagged(
          inData(Effect.flatMap(currentOrganisation, (owner) => absences.list(owner, urlParams))),
          urlParams
        )
      )
      .handle("create", (request) =>
        idempotent(
          request,
          { name: "absences", answer: Absence, by: holders.key },
          Effect.flatMap(CurrentOrganisationKey, (caller) => absences.create(caller, request.payload))
        ).pipe(single.tagged)
      )
      .handle("get", ({ path }) =>
        Effect.flatMap(currentOrganisation, (owner) => absences.get(owner, path.absence_uid)).pipe(single.tagged)
      )
      .handle("appointments", ({ path }) =>
        inData(
          Effect.map(
            Effect.flatMap(CurrentOrganisationKey, (caller) => absences.settledOf(caller, path.absence_uid)),
            (rows) =>
              rows.map(({ fault, ...row }) => ({
                ...row,
                code: fault === null ? null : (problemOf(fault)?.code ?? fault)
              }))
          )
        )
      )
      .handle("ask_again", ({ path, payload }) =>
        Effect.flatMap(CurrentOrganisationKey, (caller) => absences.askAgain(caller, path.absence_uid, payload)).pipe(
          single.tagged
        )
      )
      .handle("update", ({ path: { absence_uid: uid }, headers, payload }) =>
        Effect.flatMap(currentOrganisation, (owner) =>
          changeIfMatch(headers, tags(owner, uid), absences.update(owner, uid, payload))
        ).pipe(single.tagged)
      )
      .handle("remove", ({ path: { absence_uid: uid }, headers }) =>
        Effect.flatMap(currentOrganisation, (owner) =>
          changeIfMatch(headers, tags(owner, uid), absences.remove(owner, uid))
        )
      )
  })
).pipe(Layer.provide([Idempotency.Default, Conditional.Default, Absences.Default]))
