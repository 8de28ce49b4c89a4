import { Effect, Layer } from "effect"
import { StaffInvitation, StaffPerson, type StaffPersonChanges } from "../../../schemas/access/StaffPerson.ts"
import { StaffPeople } from "../../../services/access/StaffPeople.ts"
import { StaffInvitations } from "../../../services/notifications/StaffInvitations.ts"
import { Conditional } from "../../conditional.ts"
import { asKey, inOrganisation } from "../../credentials/credentials.ts"
import { group } from "../../group.ts"
import { holders, idempotent } from "../../idempotent.ts"
import { byKey, wholeRecords } from "../../records.ts"

const staffHandling = wholeRecords("staff", StaffPerson)

export const StaffHttp = group("organisation.staff", (handlers) =>
  Effect.gen(function* () {
    const people = yield* StaffPeople
    const invitations = yield* StaffInvitations
    const conditional = yield* Conditional
    const staff = staffHandling(people, conditional, byKey, "staff_person_uid")
    return handlers
      .handle("list", staff.list)
      .handle("create", (request) =>
        idempotent(
          request,
          { name: "staff", answer: StaffInvitation, by: holders.key },
          inOrganisation((owner) => invitations.create(owner, request.payload))
        )
      )
      .handle("one", staff.read(people.get))
      .handle(
        "update",
        staff.update((owner, uid, changes: StaffPersonChanges) =>
          asKey(({ actor }) => people.update(owner, uid, changes, actor))
        )
      )
      .handle(
        "remove",
        staff.remove((owner, uid) => asKey(({ actor }) => people.remove(owner, uid, actor)))
      )
      .handle("invite", (request) =>
        idempotent(
          request,
          { name: "staff-invitations", answer: StaffInvitation, by: holders.key },
          inOrganisation((owner) => invitations.invite(owner, request.path.staff_person_uid))
        )
      )
  })
).pipe(Layer.provide([StaffInvitations.Default, StaffPeople.Default]))
