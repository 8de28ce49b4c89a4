import { ReturnLink, type ReturnTarget } from "./bookingParts.tsx"
import { ContactPractice } from "./ContactPractice.tsx"
import { NoticePage } from "./NoticePage.tsx"
import { useTexts } from "./pageLanguage.ts"

interface BookingGoneData {
  /** the type is inactive or deleted, or the appointment to be moved was moved or cancelled */
  readonly reason: "typeGone" | "notMovable"
  readonly back: ReturnTarget | null
  readonly embedded: boolean
  /** the session was for moving an appointment */
  readonly rebooking: boolean
}

/** Nothing can be booked with this link any more. */
export const BookingGonePage = ({ data }: { readonly data: BookingGoneData }) => {
  const { booking, appointment } = useTexts()
  return (
    <NoticePage
      {...(data.reason === "typeGone"
        ? { title: booking.typeGone.title, text: booking.typeGone.help }
        : { title: appointment.movedOrCancelled, text: appointment.callPractice })}
    >
      {data.reason === "typeGone" && data.rebooking ? <p>{booking.originalStands}</p> : null}
      <div class="actions">
        <ReturnLink back={data.back} embedded={data.embedded} />
      </div>
      <ContactPractice />
    </NoticePage>
  )
}
