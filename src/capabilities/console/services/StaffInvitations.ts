/** Invitations of a practice's people: the link is made, and mailed once it is stored. Rule 1.9.13. */
import { Effect } from "effect"
import { Settings } from "../../../config.ts"
import type { OrganisationUid, StaffPersonUid } from "../../../schemas/ids.ts"
import { Recipients } from "../../../services/notifications/Recipients.ts"
import { Service } from "../../../services/Service.ts"
import type { Language } from "../../../texts/language.ts"
import type { NewStaffPerson } from "../schemas/StaffPerson.ts"
import { StaffMails } from "./StaffMails.ts"
import { StaffPeople } from "./staff/StaffPeople.ts"

const GERMAN = new Set(["DE", "AT", "CH", "LI"])

export class StaffInvitations extends Service<StaffInvitations>()("console/StaffInvitations", {
  effect: Effect.gen(function* () {
    const people = yield* StaffPeople
    const mails = yield* StaffMails
    const recipients = yield* Recipients
    const { baseUrl } = yield* Settings
    type Issued = Effect.Effect.Success<ReturnType<typeof people.invite>>

    const mailed = <E, R>(owner: OrganisationUid, issuing: Effect.Effect<Issued, E, R>) =>
      Effect.gen(function* () {
        const { person, invited } = yield* issuing
        const { code, ...rest } = invited
        const url = `${baseUrl}/console/invitation/${code}`
        const { name: practice, branding, country_code } = yield* recipients.sender(owner)
        const language: Language = GERMAN.has(country_code) ? "de" : "en"
        const message_id = `${rest.uid}-${rest.invitation_expires_at}`
        yield* mails.invitation({ to: person.email, name: person.name, practice, branding, language, message_id, url })
        return { ...rest, invitation_url: url }
      })

    /** As `StaffPeople.create`. */
    const create = (owner: OrganisationUid, person: NewStaffPerson) => mailed(owner, people.create(owner, person))
    /** As `StaffPeople.invite`. */
    const invite = (owner: OrganisationUid, uid: StaffPersonUid) => mailed(owner, people.invite(owner, uid))
    return { create, invite } as const
  }),
  dependencies: [Recipients.Default, StaffMails.Default, StaffPeople.Default]
}) {}
