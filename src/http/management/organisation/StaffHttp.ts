import { Effect, Layer } from "effect"
import { StaffPerson, type StaffPersonChanges } from "../../../schemas/access/StaffPerson.ts"
import { StaffPeople } from "../../../services/access/StaffPeople.ts"
import { Conditional } from "../../conditional.ts"
import { asKey } from "../../credentials/credentials.ts"
import { group } from "../../group.ts"
import { byKey, wholeRecords } from "../../records.ts"

const staffHandling = wholeRecords(StaffPerson)

export const StaffHttp = group("organisation.staff", (handlers) =>
  Effect.zipWith(StaffPeople, Conditional, (people, conditional) => {
    const staff = staffHandling(people, conditional, byKey, "staff_person_uid")
    return handlers
      .handle("list", staff.list)
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
  })
).pipe(Layer.provide([StaffPeople.Default]))
