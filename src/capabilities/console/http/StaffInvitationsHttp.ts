import { Effect, Layer } from "effect"
import { Settings } from "../../../config.ts"
import { inOrganisation } from "../../../http/credentials/credentials.ts"
import { groupOf } from "../../../http/group.ts"
import { holders, idempotent } from "../../../http/idempotent.ts"
import { StaffPeople } from "../../../services/access/StaffPeople.ts"
import { StaffInvitation } from "../schemas/StaffInvitation.ts"
import { StaffInvitationsApi } from "./StaffInvitationsApi.ts"

export const StaffInvitationsHttp = groupOf(StaffInvitationsApi)("organisation.staff_invitations", (handlers) =>
  Effect.zipWith(StaffPeople, Settings, (people, { baseUrl }) => {
    const linked = Effect.map(({ code, ...invited }: Effect.Effect.Success<ReturnType<typeof people.invite>>) => ({
      ...invited,
      invitation_url: `${baseUrl}/console/invitation/${code}`
    }))
    return handlers
      .handle("create", (request) =>
        idempotent(
          request,
          { name: "staff", answer: StaffInvitation, by: holders.key },
          inOrganisation((owner) => linked(people.create(owner, request.payload)))
        )
      )
      .handle("invite", (request) =>
        idempotent(
          request,
          { name: "staff-invitations", answer: StaffInvitation, by: holders.key },
          inOrganisation((owner) => linked(people.invite(owner, request.path.staff_person_uid)))
        )
      )
  })
).pipe(Layer.provide(StaffPeople.Default))
