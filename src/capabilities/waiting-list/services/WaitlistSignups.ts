/** A patient enters the waiting list on a page, and gets a mail with the link to the entry's own page. Rule 19.3.3. */

import { Effect, Option } from "effect"
import { Settings } from "../../../config.ts"
import type { OrganisationUid } from "../../../schemas/ids.ts"
import { Recipients } from "../../../services/notifications/Recipients.ts"
import { Service } from "../../../services/Service.ts"
import type { StoredAppointment } from "../../../services/scheduling/appointments/StoredAppointment.ts"
import type { Language } from "../../../texts/language.ts"
import type { EarlierTimes } from "../../shared/services/addedExtension.ts"
import { CodeMails } from "../../shared/services/CodeMails.ts"
import type { OwnWaitlistEntry, WaitlistEntry } from "../schemas/Waitlist.ts"
import { pageTextsOf } from "../texts/page.ts"
import { Entries } from "./Entries.ts"

export class WaitlistSignups extends Service<WaitlistSignups>()("hosted/WaitlistSignups", {
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
      const shown = chosen ?? language
      yield* mails
        .send({
          organisation_uid,
          message_id: entry.uid,
          address,
          language: shown,
          url,
          about: pageTextsOf(shown).entered
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

    /** The live entries by which the patient waits for an earlier time than the appointment's. */
    const waitingFor = ({ organisation_uid, patient_uid, uid }: StoredAppointment) =>
      Effect.map(entries.ofPatient(organisation_uid, patient_uid), (all) =>
        all.filter((one) => one.appointment_uid === uid)
      )
    const isOffered = ({ organisation_uid, appointment_type_uid: type }: StoredAppointment) =>
      type === null ? Effect.succeed(false) : entries.isOnPages(organisation_uid, type)

    const earlierTimes: EarlierTimes = {
      stateOf: Effect.fn("WaitlistSignups.stateOf")(function* (appointment, isMovable, language) {
        const isWaiting = (yield* waitingFor(appointment)).length > 0
        if (!isWaiting && !(isMovable && (yield* isOffered(appointment)))) return null
        return { isWaiting, texts: pageTextsOf(language).sooner }
      }),
      ask: Effect.fn("WaitlistSignups.ask")(function* (appointment, actor, times, language) {
        if (!(yield* isOffered(appointment))) return false
        const entered = yield* entries.createSooner(appointment, actor, [...times])
        yield* tell(appointment.organisation_uid, entered, language)
        return true
      }),
      stop: (appointment) =>
        Effect.flatMap(waitingFor(appointment), (all) =>
          Effect.forEach(all, ({ uid }) => entries.steer(appointment, uid, "ended"), { discard: true })
        )
    }

    return { bySession, earlierTimes } as const
  }),
  dependencies: [Entries.Default, Recipients.Default, CodeMails.Default]
}) {}
