import { Effect, Layer } from "effect"
import { Conditional } from "../../../../http/conditional.ts"
import { asKey } from "../../../../http/credentials/credentials.ts"
import { groupOf } from "../../../../http/group.ts"
import { byKey, wholeRecords } from "../../../../http/records.ts"
import { StaffPerson, type StaffPersonChanges } from "../../schemas/StaffPerson.ts"
import { StaffPeople } from "../../services/staff/StaffPeople.ts"
import { ConsoleApi } from "../ConsoleApi.ts"

const staffHandling = wholeRecords(StaffPerson)

export const StaffHttp = groupOf(ConsoleApi)("organisation.staff", (handlers) =>
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
