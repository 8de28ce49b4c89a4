import { Effect } from "effect"
import { AppointmentUid } from "../../../schemas/ids.ts"
import type { Appointment } from "../../../schemas/scheduling/Appointment.ts"
import { languages, nameOfLanguage } from "../../../texts/language.ts"
import { whereRefused } from "../../shared/http/InProcessApi.ts"
import type { Visitor } from "../../shared/http/pages.ts"
import { segment } from "../../shared/http/query.ts"
import { Ask, Card, Do, Field, Submit, useDesk } from "../../shared/pages/Desk.tsx"
import { Subject } from "../../shared/pages/rows.tsx"
import { GuestsApi } from "../http/GuestsApi.ts"
import { GUESTS_MAX, type Guest } from "../schemas/Guest.ts"
import { GuestRole } from "../schemas/Signal.ts"
import { deskTextsOf } from "../texts/desk.ts"
import { guestTexts } from "../texts/guest.ts"

/** Lists and removes the guests, and invites one, whose link is shown once, too. */
const Guests = ({ path, guests }: { readonly path: string; readonly guests: ReadonlyArray<Guest> }) => {
  const { language } = useDesk()
  const texts = deskTextsOf(language)
  const { roles } = guestTexts(language)
  return (
    <Card id="guests" title={texts.title}>
      <ul class="rows" hidden={guests.length === 0}>
        {guests.map(({ uid, name, role, email, phone }) => (
          <li key={uid}>
            <Subject below={[[roles[role], email ?? phone].filter(Boolean).join(" · ")]}>{name}</Subject>
            <Ask operation={`DELETE ${path}/${uid}`} text={texts.remove} label={`${texts.remove}: ${name}`} />
          </li>
        ))}
      </ul>
      <p class="help">{texts.help}</p>
      {guests.length >= GUESTS_MAX ? null : (
        <Do operation={`POST ${path}`} show="url">
          <Field label={texts.role} name="role" options={GuestRole.literals.map((role) => [role, roles[role]])} />
          <Field label={texts.name} name="name" required />
          <Field label={texts.email} name="email" type="email" />
          <Field label={texts.phone} name="phone" type="tel" />
          <Field
            label={texts.language}
            name="language"
            value={language}
            options={languages.map((one) => [one, nameOfLanguage(one)])}
          />
          <Submit text={texts.invite} look="secondary" />
        </Do>
      )}
    </Card>
  )
}

const mayHaveGuests = ({ status, meeting_format }: Appointment) =>
  status === "confirmed" && meeting_format === "DIGITAL"

/** Below the practice's page of an appointment. */
export const guestsOfPractice = Effect.fn("console.guests")(function* (visitor: Visitor) {
  const path = { appointment_uid: AppointmentUid.make(yield* segment("uid")) }
  if (!mayHaveGuests(yield* visitor.api["management.appointments"].one({ path }))) return null
  const api = yield* visitor.clientOf(GuestsApi)
  const { data } = yield* api["management.guests"].list({ path })
  return <Guests path={`/v1/management/scheduling/appointments/${path.appointment_uid}/guests`} guests={data} />
})

/** Below the doctor's card of a patient that was opened from an appointment. */
export const guestsOfDoctor = Effect.fn("console.ownGuests")(function* (visitor: Visitor) {
  const uid = visitor.query.get("appointment")
  if (uid === null) return null
  const path = { appointment_uid: AppointmentUid.make(uid) }
  const one = yield* whereRefused(404, null)(visitor.api.doctor.appointment({ path }))
  if (one === null || !mayHaveGuests(one)) return null
  const api = yield* visitor.clientOf(GuestsApi)
  const { data } = yield* api["doctor.guests"].list({ path })
  return <Guests path={`/v1/doctor/appointments/${uid}/guests`} guests={data} />
})
