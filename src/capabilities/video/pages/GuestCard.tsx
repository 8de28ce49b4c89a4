import type { AddedCardProps } from "../../../pages/staff/added.ts"
import { Card, Do, Field, Submit, useDesk } from "../../../pages/staff/Desk.tsx"
import { languages, nameOfLanguage } from "../../../texts/language.ts"
import { GuestRole } from "../schemas/Signal.ts"
import { deskTextsOf } from "../texts/desk.ts"
import { guestTexts } from "../texts/guest.ts"

/** Invites a guest to an appointment by video; the link is shown once, too. */
const cardAt =
  (path: string) =>
  ({ one }: AddedCardProps["appointment"]) => {
    const { language } = useDesk()
    const texts = deskTextsOf(language)
    const { roles } = guestTexts(language)
    if (one.status !== "confirmed" || one.meeting_format !== "DIGITAL") return null
    return (
      <Card id="guest" title={texts.title}>
        <p class="help">{texts.help}</p>
        <Do operation={`POST ${path}/${one.uid}/guests`} show="url">
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
      </Card>
    )
  }

export const GuestCard = cardAt("/v1/management/scheduling/appointments")
export const OwnGuestCard = cardAt("/v1/doctor/appointments")
