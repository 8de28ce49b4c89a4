import { catalogue } from "../../texts/catalogue.ts"
import type { Language } from "../../texts/language.ts"
import { ReturnLink, type ReturnTarget } from "./bookingParts.tsx"
import { ContactPractice } from "./ContactPractice.tsx"
import { NoticePage } from "./NoticePage.tsx"

interface TypeGoneData {
  readonly back: ReturnTarget | null
  readonly embedded: boolean
  /** the session was for moving an appointment */
  readonly rebooking: boolean
}

/** The session's appointment type is inactive or deleted: nothing can be booked with this link. */
export const TypeGonePage = ({ language, data }: { readonly language: Language; readonly data: TypeGoneData }) => {
  const texts = catalogue[language].booking
  return (
    <NoticePage title={texts.typeGone.title} text={texts.typeGone.help}>
      {data.rebooking ? <p>{texts.originalStands}</p> : null}
      <div class="actions">
        <ReturnLink language={language} back={data.back} embedded={data.embedded} />
      </div>
      <ContactPractice language={language} />
    </NoticePage>
  )
}
