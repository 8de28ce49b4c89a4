import { Effect, Layer } from "effect"
import { StaffInvitation, StaffPerson } from "../../../schemas/access/StaffPerson.ts"
import type { OrganisationUid, StaffPersonUid } from "../../../schemas/ids.ts"
import { Listed, ListQuery } from "../../../schemas/paging.ts"
import { StaffPeople } from "../../../services/access/StaffPeople.ts"
import { Idempotency } from "../../../services/Idempotency.ts"
import { Conditional, listTags, recordTags } from "../../conditional.ts"
import { CurrentOrganisationKey, currentOrganisation } from "../../credentials/credentials.ts"
import { group } from "../../group.ts"
import { holders, idempotent } from "../../idempotent.ts"
import { inData } from "../../inData.ts"

const single = recordTags(StaffPerson)
const listed = listTags(Listed(StaffPerson), ListQuery)

export const StaffHttp = group("organisation.staff", (handlers) =>
  Effect.zipWith(StaffPeople, Conditional, (people, { changeIfMatch }) => {
    const tags = (owner: OrganisationUid, uid: StaffPersonUid) => ({
      record: Effect.map(people.findForChange(owner, uid), single.tagOf),
      isListed: listed.isCurrent((query) => inData(people.list(owner, query)))
    })
    return handlers
      .handle("list", ({ urlParams }) =>
        listed.tagged(inData(Effect.flatMap(currentOrganisation, (owner) => people.list(owner, urlParams))), urlParams)
      )
      .handle("create", (request) =>
        idempotent(
          request,
          { name: "staff", answer: StaffInvitation, by: holders.key },
          Effect.flatMap(currentOrganisation, (owner) => people.create(owner, request.payload))
        )
      )
      .handle("one", ({ path }) =>
        Effect.flatMap(currentOrganisation, (owner) => people.get(owner, path.staff_person_uid)).pipe(single.tagged)
      )
      .handle("update", ({ path: { staff_person_uid: uid }, payload, headers }) =>
        Effect.flatMap(CurrentOrganisationKey, ({ organisation_uid: owner, actor }) =>
          changeIfMatch(headers, tags(owner, uid), people.update(owner, uid, payload, actor))
        ).pipe(single.tagged)
      )
      .handle("remove", ({ path: { staff_person_uid: uid }, headers }) =>
        Effect.flatMap(CurrentOrganisationKey, ({ organisation_uid: owner, actor }) =>
          changeIfMatch(headers, tags(owner, uid), people.remove(owner, uid, actor))
        )
      )
      .handle("invite", (request) =>
        idempotent(
          request,
          { name: "staff-invitations", answer: StaffInvitation, by: holders.key },
          Effect.flatMap(currentOrganisation, (owner) => people.invite(owner, request.path.staff_person_uid))
        )
      )
  })
).pipe(Layer.provide([Idempotency.Default, Conditional.Default, StaffPeople.Default]))
