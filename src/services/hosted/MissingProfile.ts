/** The booking page asks for profile fields of the partner whose values could not be used (Rule 1.6.6). */
import { Effect, Option } from "effect"
import { type PatientProfile, profileWith } from "../../schemas/access/PatientProfile.ts"
import { isPlausibleBirth } from "../../schemas/birthDate.ts"
import { type AskedProfileField, askedProfileFields } from "../../schemas/hosted/askedProfile.ts"
import type { Language } from "../../texts/language.ts"
import { DomainClock } from "../DomainClock.ts"
import { Database } from "../database/Database.ts"
import { PatientsRepo } from "../patients/PatientsRepo.ts"
import { Service } from "../Service.ts"
import { type BookingSession, BookingSessions } from "../scheduling/booking/BookingSessions.ts"

/** The fields that the session's page asks for, in the order of the form. */
export const askedOf = ({ ignored_profile_fields, mode }: BookingSession): ReadonlyArray<AskedProfileField> =>
  mode === "rebooking" ? [] : askedProfileFields.filter((field) => ignored_profile_fields.includes(field))

/** The usable value; none for one that is not, and for a day of birth that nobody alive has. */
export const usableProfile = (field: AskedProfileField, entered: string, now: number): Option.Option<PatientProfile> =>
  field === "date_of_birth" && !isPlausibleBirth(entered.trim(), now) ? Option.none() : profileWith(field, entered)

export class MissingProfile extends Service<MissingProfile>()("hosted/MissingProfile", {
  effect: Effect.gen(function* () {
    const { transaction } = yield* Database
    const clock = yield* DomainClock
    const patients = yield* PatientsRepo
    const sessions = yield* BookingSessions

    /**
     * Stores the values entered that can be used, and asks no more for them; blank ones stay asked for. Returns whether there was one
     * that cannot be used.
     */
    const complete = Effect.fn("MissingProfile.complete")(function* (
      session: BookingSession,
      entered: Readonly<Record<string, string>>
    ) {
      const now = yield* clock.now
      const given = askedOf(session).filter((field) => (entered[field] ?? "").trim() !== "")
      const usable = given.flatMap((field) =>
        Option.match(usableProfile(field, entered[field] ?? "", now), {
          onNone: () => [],
          onSome: (profile) => [{ field, profile }]
        })
      )
      if (usable.length > 0) {
        const profile: PatientProfile = Object.assign({}, ...usable.map((one) => one.profile))
        const isStored = yield* patients.complete(session.organisation_uid, session.patient_uid, profile, now)
        const names: ReadonlySet<string> = new Set(usable.map(({ field }) => field))
        if (isStored)
          yield* sessions.keepAsking(
            session,
            session.ignored_profile_fields.filter((field) => !names.has(field))
          )
      }
      return usable.length < given.length
    }, transaction)

    /**
     * Stores the language in which the patient has read the page, where the profile has none: messages about later appointments are
     * written in it. Nothing for a session that an action code has opened. Rule 5.5.15.
     */
    const speak = Effect.fn("MissingProfile.speak")(function* (session: BookingSession, language: Language) {
      const { organisation_uid, patient_uid, link_kind } = session
      if (link_kind === null)
        yield* patients.complete(organisation_uid, patient_uid, { language }, yield* clock.now, "language")
    })

    return { complete, speak } as const
  }),
  dependencies: [PatientsRepo.Default, BookingSessions.Default]
}) {}
