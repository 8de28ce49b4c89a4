import { catalogue } from "../../texts/catalogue.ts"
import type { Language } from "../../texts/language.ts"
import { ReturnLink, type ReturnTarget } from "./bookingParts.tsx"
import { ContactPractice } from "./ContactPractice.tsx"
import { NoticePage } from "./NoticePage.tsx"

interface BookingGoneData {
  /** the type is inactive or deleted, or the appointment to be moved was moved or cancelled */
  readonly reason: "typeGone" | "notMovable"
  readonly back: ReturnTarget | null
  readonly embedded: boolean
  /** the session was for moving an appointment */
  readonly rebooking: boolean
}

/** Nothing can be booked with this link any more. */
export const BookingGonePage = ({
  language,
  data
}: {
  readonly language: Language
  readonly data: BookingGoneData
}) => {
  const { booking, appointment, waitlist } = catalogue[language]
  return (
    <NoticePage
      {...(data.reason === "typeGone"
        ? { title: booking.typeGone.title, text: booking.typeGone.help }
        : { title: waitlist.accepted.gone, text: appointment.callPractice })}
    >
      {data.reason === "typeGone" && data.rebooking ? <p>{booking.originalStands}</p> : null}
      <div class="actions">
        <ReturnLink language={language} back={data.back} embedded={data.embedded} />
      </div>
      <ContactPractice language={language} />
    </NoticePage>
  )
}
