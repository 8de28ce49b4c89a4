/**
 * Another appointment of the same type and patient, once one is cancelled or over. The page of an appointment leads to no other one, so
 * the link that books is mailed to the patient. Rule 5.4.16.
 */
import { Effect, Option } from "effect"
import { ActionNotPossible } from "../../../schemas/scheduling/errors.ts"
import { DomainClock } from "../../../services/DomainClock.ts"
import { Recipients } from "../../../services/notifications/Recipients.ts"
import { Patients } from "../../../services/patients/Patients.ts"
import { Service } from "../../../services/Service.ts"
import { callerOf } from "../../../services/scheduling/appointments/ActionLinks.ts"
import type { StoredAppointment } from "../../../services/scheduling/appointments/StoredAppointment.ts"
import { BookingSessions } from "../../../services/scheduling/booking/BookingSessions.ts"
import { LONGEST_RANGE } from "../../../services/scheduling/booking/SlotEngine.ts"
import { catalogue } from "../../../texts/catalogue.ts"
import type { Language } from "../../../texts/language.ts"
import { AppointmentPages, type Standing } from "../../shared/services/AppointmentPages.ts"
import { CodeMails } from "../../shared/services/CodeMails.ts"

export class BookAgain extends Service<BookAgain>()("hosted/BookAgain", {
  effect: Effect.gen(function* () {
    const clock = yield* DomainClock
    const pages = yield* AppointmentPages
    const patients = yield* Patients
    const sessions = yield* BookingSessions
    const recipients = yield* Recipients
    const mails = yield* CodeMails

    /** The patient to whom a link can be mailed; none without an address. */
    const addresseeOf = ({ organisation_uid, patient_uid }: StoredAppointment) =>
      Effect.map(
        recipients.find(organisation_uid, "patient", patient_uid),
        Option.flatMap(({ email, language }) => (email === null ? Option.none() : Option.some({ email, language })))
      )

    /** Whether the page offers to mail a link. */
    const isOffered = ({ again, appointment }: Pick<Standing, "again" | "appointment">) =>
      again ? Effect.map(addresseeOf(appointment), Option.isSome) : Effect.succeed(false)

    /**
     * Mails the patient a link that books, valid for 30 minutes, in the language chosen on the page, else in the patient's. Does nothing while the one that this code has sent is valid. Fails with
     * `ActionLinkNotFound` for a code that does not permit it, `ActionNotPossible` for a patient without an address, a type that is not
     * bookable, or an address that rejects mail.
     */
    const mail = Effect.fn("BookAgain.mail")(function* (code: string, chosen?: Language) {
      const standing = yield* pages.standing(code, "again")
      const { appointment, link, again } = standing
      const addressee = Option.getOrNull(yield* addresseeOf(appointment))
      const { appointment_type_uid, organisation_uid } = appointment
      if (!again || addressee === null || appointment_type_uid === null)
        return yield* new ActionNotPossible({ reason: "Another appointment cannot be booked here" })
      const { actor } = callerOf(link)
      // One mail in the life of a session, however often the button is pressed
      if (yield* sessions.hasOpen(appointment, actor)) return
      const now = yield* clock.now
      const { launch_url, booking_launch_code } = yield* sessions.open({
        mode: "booking",
        actor,
        patient: yield* patients.find(organisation_uid, appointment.patient_uid),
        appointment_type_uid,
        replaces_appointment_uid: null,
        return_url: null,
        link_kind: link.kind,
        start_from: now,
        start_to: now + LONGEST_RANGE
      })
      const { email: address } = addressee
      const language = chosen ?? addressee.language
      yield* mails
        .send({
          organisation_uid,
          message_id: `${link.uid}_${now}`,
          address,
          language,
          url: launch_url,
          about: catalogue[language].messages.again
        })
        .pipe(
          Effect.tapError(() => sessions.end(organisation_uid, booking_launch_code)),
          Effect.mapError(() => new ActionNotPossible({ reason: "The mail could not be sent" }))
        )
    })

    return { isOffered, mail } as const
  }),
  dependencies: [
    AppointmentPages.Default,
    Patients.Default,
    BookingSessions.Default,
    Recipients.Default,
    CodeMails.Default
  ]
}) {}
