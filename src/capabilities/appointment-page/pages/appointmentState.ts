import type { CalendarAddresses } from "../../../pages/views/bookingParts.tsx"
import type { DoctorFacts, TypeFacts } from "../../../pages/views/cards.tsx"
import type { AskedConsent } from "../../../pages/views/consents.tsx"
import { catalogue } from "../../../texts/catalogue.ts"
import type { Language } from "../../../texts/language.ts"
import type { AddedDates } from "../../shared/schemas/AddedDates.ts"
import type { EarlierTime } from "../../shared/schemas/EarlierTime.ts"

/** A valid consent, which can be withdrawn. */
interface GivenConsent {
  readonly uid: string
  readonly purpose: AskedConsent["purpose"]
  /** when it was given, in words */
  readonly given: string
}

/** The context of an action link (Rule 5.4.5), with the page's additions. */
export interface AppointmentPageData {
  readonly uid: string
  /** the action of the link, which is shown first */
  readonly action: "join" | "cancel" | "rebook"
  /** what the code permits */
  readonly can: { readonly join: boolean; readonly cancel: boolean; readonly rebook: boolean }
  readonly appointment_start: number
  readonly appointment_end: number
  readonly doctor: DoctorFacts
  readonly appointment_type_name: string
  readonly type: TypeFacts | null
  readonly meeting_format: "DIGITAL" | "IN_PERSON"
  /** the place, unless it is by video; null: unknown */
  readonly place: string | null
  /** URL of a map of it; null: not by its address */
  readonly map: string | null
  readonly join_window: { readonly state: "too_early" | "open" | "too_late"; readonly opens_at: number }
  readonly rebook_allowed: boolean
  readonly cancel_allowed: boolean
  /** how it ended; null while it is confirmed */
  readonly fate: "cancelled" | "over" | null
  /** the link's own appointment was moved: this is its replacement */
  readonly moved: boolean
  /** names of doctors who take part beside `doctor` */
  readonly further: ReadonlyArray<string>
  /** dates that belong to it; none for a code that may show one appointment alone */
  readonly dates: ReadonlyArray<AddedDates>
  /** an earlier time can be asked for, or is waited for; null: neither */
  readonly sooner: EarlierTime | null
  /** Minutes of delay announced by the doctor. */
  readonly doctor_late: number | null
  readonly late: { readonly offered: boolean; readonly minutes: number | null }
  /** a link that books another one can be mailed */
  readonly again: boolean
  readonly consents: { readonly given: ReadonlyArray<GivenConsent>; readonly asked: ReadonlyArray<AskedConsent> }
  readonly calendars: CalendarAddresses
  /** where the patient prepares for it */
  readonly preparation: { readonly url: string; readonly text: string } | null
  /** what the patient is to do before */
  readonly toDo: ReadonlyArray<{
    readonly title: string
    readonly tasks: ReadonlyArray<{ readonly url: string; readonly text: string; readonly state: string }>
    readonly blocked: string | null
  }>
  readonly zone: string
  readonly now: number
  /** URL to which the buttons post */
  readonly post: string
  /** what the form that led here has done */
  readonly notice: "refused" | "changed" | "mailed" | "saved" | "consents" | "waiting" | "blocked" | null
}

export interface Outcome {
  readonly title: string
  readonly text: string
  readonly good: boolean
}

/** The notice for an appointment that is no longer confirmed. */
export const outcomeOf = (language: Language, data: AppointmentPageData): Outcome | null => {
  const texts = catalogue[language].appointment
  if (data.fate === "cancelled")
    return { title: texts.cancelled, text: texts.cancelledText, good: data.action === "cancel" }
  return data.fate === "over" ? { title: texts.over, text: texts.questions, good: false } : null
}

/** Why the link's action is not possible; null if it is. */
export const blockOf = (language: Language, data: AppointmentPageData) => {
  const texts = catalogue[language].appointment
  if (data.action === "cancel" && !data.cancel_allowed) return texts.cancelBlocked
  return data.action === "rebook" && !data.rebook_allowed ? texts.rebookBlocked : null
}

/** The page's main action. */
export const headingOf = (language: Language, { action, join_window, meeting_format }: AppointmentPageData) => {
  const texts = catalogue[language].appointment
  if (action === "join" && meeting_format === "IN_PERSON") return texts.onSiteTitle
  if (action === "join") return join_window.state === "open" ? texts.joinTitle : texts.joinEarlyTitle
  return action === "cancel" ? texts.cancelTitle : texts.rebookTitle
}

/** The page's title: the state of the appointment, never its subject. */
export const appointmentTitle = (language: Language, data: AppointmentPageData) => {
  const texts = catalogue[language].appointment
  const title =
    outcomeOf(language, data)?.title ?? blockOf(language, data) ?? `${headingOf(language, data)} – ${texts.title}`
  return data.notice === "refused" || data.notice === "changed" || data.notice === "blocked"
    ? `${catalogue[language].page.attention}: ${title}`
    : title
}
