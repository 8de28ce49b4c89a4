import { Effect, Layer } from "effect"
import { inOrganisation } from "../../../http/credentials/credentials.ts"
import { groupOf } from "../../../http/group.ts"
import { StaffInvitations } from "../services/StaffInvitations.ts"
import { ConsoleApi } from "./ConsoleApi.ts"

export const StaffInvitationsHttp = groupOf(ConsoleApi)("organisation.staff_invitations", (handlers) =>
  Effect.map(StaffInvitations, (invitations) =>
    handlers
      .handle("create", (request) => inOrganisation((owner) => invitations.create(owner, request.payload)))
      .handle("invite", (request) =>
        inOrganisation((owner) => invitations.invite(owner, request.path.staff_person_uid))
      )
  )
).pipe(Layer.provide(StaffInvitations.Default))
