import { Effect, Layer } from "effect"
import { inOrganisation } from "../../../http/credentials/credentials.ts"
import { groupOf } from "../../../http/group.ts"
import { holders, idempotent } from "../../../http/idempotent.ts"
import { StaffInvitation } from "../schemas/StaffInvitation.ts"
import { StaffInvitations } from "../services/StaffInvitations.ts"
import { ConsoleApi } from "./ConsoleApi.ts"

export const StaffInvitationsHttp = groupOf(ConsoleApi)("organisation.staff_invitations", (handlers) =>
  Effect.map(StaffInvitations, (invitations) =>
    handlers
      .handle("create", (request) =>
        idempotent(
          request,
          { name: "staff", answer: StaffInvitation, by: holders.key },
          inOrganisation((owner) => invitations.create(owner, request.payload))
        )
      )
      .handle("invite", (request) =>
        idempotent(
          request,
          { name: "staff-invitations", answer: StaffInvitation, by: holders.key },
          inOrganisation((owner) => invitations.invite(owner, request.path.staff_person_uid))
        )
      )
  )
).pipe(Layer.provide(StaffInvitations.Default))
