/** A patient enters the waiting list on a page, and gets a mail with the link to the entry's own page. Rule 19.3.3. */
import { Effect, Option } from "effect"
import { Settings } from "../../config.ts"
import type { Actor } from "../../schemas/access/Actor.ts"
import type { OrganisationUid } from "../../schemas/ids.ts"
import type { OwnWaitlistEntry, WaitlistEntry } from "../../schemas/scheduling/Waitlist.ts"
import type { Language } from "../../texts/language.ts"
import { CodeMails } from "../notifications/CodeMails.ts"
import { Recipients } from "../notifications/Recipients.ts"
import type { StoredAppointment } from "../scheduling/appointments/StoredAppointment.ts"
import { Entries } from "../scheduling/waitlist/Entries.ts"

export class WaitlistSignups extends Effect.Service<WaitlistSignups>()("hosted/WaitlistSignups", {
  effect: Effect.gen(function* () {
    const { meetingsUrl } = yield* Settings
    const entries = yield* Entries
    const recipients = yield* Recipients
    const mails = yield* CodeMails

    /** One mail for each entry. Without an address, or where it takes no mail, the entry stands all the same. */
    const tell = Effect.fnUntraced(function* (
      organisation_uid: OrganisationUid,
      { entry, created }: { readonly entry: WaitlistEntry; readonly created: boolean },
      chosen: Language | undefined
    ) {
      if (!created) return
      const found = Option.getOrNull(yield* recipients.find(organisation_uid, "patient", entry.patient_uid))
      if (found === null || found.email === null) return
      const url = `${meetingsUrl}/waitlist/${yield* entries.issueCode(organisation_uid, entry.uid)}`
      const { email: address, language } = found
      yield* mails
        .sendLink({
          organisation_uid,
          message_id: entry.uid,
          address,
          language: chosen ?? language,
          url,
          about: "entered"
        })
        .pipe(Effect.catchAll((cause) => Effect.logWarning("no mail about an entry of the waiting list", cause)))
    })

    /** As `Entries.createOwn`. */
    const bySession = Effect.fn("WaitlistSignups.bySession")(function* (
      owner: OrganisationUid,
      code: string,
      request: OwnWaitlistEntry,
      chosen: Language | undefined
    ) {
      yield* tell(owner, yield* entries.createOwn(code, request), chosen)
    })

    /** As `Entries.createSooner`. */
    const sooner = Effect.fn("WaitlistSignups.sooner")(function* (
      appointment: StoredAppointment,
      actor: Actor,
      times: WaitlistEntry["times"],
      chosen: Language | undefined
    ) {
      yield* tell(appointment.organisation_uid, yield* entries.createSooner(appointment, actor, times), chosen)
    })

    return { bySession, sooner } as const
  }),
  dependencies: [Entries.Default, Recipients.Default, CodeMails.Default]
}) {}
