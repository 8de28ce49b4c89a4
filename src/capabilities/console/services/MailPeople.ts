/** People who sign in by mail: whoever has the address in a record. Rule 17.1.10. */
import { Effect, Schema } from "effect"
import type { StaffClaims } from "../../../schemas/access/StaffMember.ts"
import { rowsOf } from "../../../services/database/rows.ts"
import { Sql } from "../../../services/database/Sql.ts"
import { Service } from "../../../services/Service.ts"
import { StaffPeople } from "./staff/StaffPeople.ts"

const Found = Schema.Struct({
  kind: Schema.Literal("admin", "doctor", "pharmacy", "group", "operator"),
  owner_uid: Schema.String,
  uid: Schema.String,
  subject: Schema.NullOr(Schema.String),
  person: Schema.String,
  place: Schema.String
})
type Found = typeof Found.Type

/** A record with the person's address. */
export interface WorkPlace {
  /** The practice, the pharmacy, the group, or the installation. */
  readonly owner_uid: string
  readonly name: string
  readonly claims: StaffClaims
}

const roles = { admin: [], doctor: ["doctor"], pharmacy: ["pharmacy"], group: ["pharmacy"], operator: ["operator"] }

const placeOf = ({ kind, owner_uid, uid, subject, person, place }: Found, email: string): WorkPlace => ({
  owner_uid,
  name: place,
  claims: {
    subject: subject ?? uid,
    roles: roles[kind],
    organisation_uid: kind === "admin" || kind === "doctor" ? owner_uid : null,
    doctor_uid: kind === "doctor" ? uid : null,
    pharmacy_uid: kind === "pharmacy" ? uid : null,
    pharmacy_group_uid: kind === "group" ? uid : null,
    name: person,
    email
  }
})

export class MailPeople extends Service<MailPeople>()("console/MailPeople", {
  effect: Effect.gen(function* () {
    const sql = yield* Sql
    const people = yield* StaffPeople
    const found = rowsOf(Found)

    const all = (email: string) =>
      found.all(sql`SELECT kind, owner_uid, uid, subject, person, place FROM staff_with(${email})`)

    /** The places of an address, those of `owner` first. */
    const places = Effect.fn("MailPeople.places")(function* (email: string, owner?: string | null) {
      const list = (yield* all(email)).map((one) => placeOf(one, email))
      return [
        ...list.filter(({ owner_uid }) => owner_uid === owner),
        ...list.filter(({ owner_uid }) => owner_uid !== owner)
      ]
    })

    /** The same for somebody who signs in: invitations to the address are accepted by it. */
    const entering = Effect.fn("MailPeople.entering")(function* (email: string) {
      for (const { kind, owner_uid, uid, subject } of yield* all(email))
        if (kind === "admin") yield* people.bind(owner_uid, uid, subject ?? uid)
      return yield* places(email)
    })
    return { places, entering } as const
  }),
  dependencies: [StaffPeople.Default]
}) {}
