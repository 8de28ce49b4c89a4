/** Invitations of a practice's people: the link is made, and mailed once it is stored. Rule 1.9.13. */
import { Effect } from "effect"
import type { NewStaffPerson } from "../../schemas/access/StaffPerson.ts"
import type { OrganisationUid, StaffPersonUid } from "../../schemas/ids.ts"
import type { Language } from "../../texts/language.ts"
import { type Issued, StaffPeople } from "../access/StaffPeople.ts"
import { Recipients } from "./Recipients.ts"
import { StaffMails } from "./StaffMails.ts"

const GERMAN = new Set(["DE", "AT", "CH", "LI"])

export class StaffInvitations extends Effect.Service<StaffInvitations>()("notifications/StaffInvitations", {
  effect: Effect.gen(function* () {
    const people = yield* StaffPeople
    const mails = yield* StaffMails
    const recipients = yield* Recipients

    const mailed = <E, R>(owner: OrganisationUid, issuing: Effect.Effect<Issued, E, R>) =>
      Effect.gen(function* () {
        const { person, invitation } = yield* issuing
        const { name: practice, branding, country_code } = yield* recipients.sender(owner)
        const language: Language = GERMAN.has(country_code) ? "de" : "en"
        const message_id = `${invitation.uid}-${invitation.invitation_expires_at}`
        yield* mails.invitation({ ...person, practice, branding, language, message_id, url: invitation.invitation_url })
        return invitation
      })

    /** As `StaffPeople.create`. */
    const create = (owner: OrganisationUid, person: NewStaffPerson) => mailed(owner, people.create(owner, person))
    /** As `StaffPeople.invite`. */
    const invite = (owner: OrganisationUid, uid: StaffPersonUid) => mailed(owner, people.invite(owner, uid))
    return { create, invite } as const
  }),
  dependencies: [Recipients.Default, StaffMails.Default, StaffPeople.Default]
}) {}
