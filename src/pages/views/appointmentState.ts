import { catalogue } from "../../texts/catalogue.ts"
import type { Language } from "../../texts/language.ts"
import type { DoctorFacts, TypeFacts } from "./cards.tsx"
import type { AskedConsent, GivenConsent } from "./consents.tsx"

/** The context of an action link (Rule 5.4.5) with what the page adds. */
export interface AppointmentPageData {
  /** what the link was made for: that stands first */
  readonly action: "join" | "cancel" | "rebook"
  readonly appointment_start: number
  readonly appointment_end: number
  readonly doctor: DoctorFacts
  readonly appointment_type_name: string
  readonly type: TypeFacts | null
  readonly meeting_format: "DIGITAL" | "IN_PERSON"
  /** where it takes place, unless it is by video; null: unknown */
  readonly place: string | null
  readonly join_window: { readonly state: "too_early" | "open" | "too_late"; readonly opens_at: number }
  readonly rebook_allowed: boolean
  readonly cancel_allowed: boolean
  /** what has become of it; null while it stands */
  readonly fate: "cancelled" | "over" | null
  /** the link's own appointment was moved: this is the one that replaced it */
  readonly moved: boolean
  readonly late: { readonly offered: boolean; readonly minutes: number | null }
  /** another one can be booked */
  readonly again: boolean
  readonly consents: { readonly given: ReadonlyArray<GivenConsent>; readonly asked: ReadonlyArray<AskedConsent> }
  /** addresses that put it into a calendar */
  readonly calendars: { readonly file: string; readonly google: string; readonly outlook: string }
  /** the page that tests camera, microphone and connection */
  readonly devices: string
  readonly zone: string
  readonly now: number
  /** where the buttons post to */
  readonly post: string
  /** a button was pressed, and the service said no */
  readonly refused: boolean
}

export interface Outcome {
  readonly title: string
  readonly text: string
  readonly good: boolean
}

/** What is to be said of an appointment that does not stand any more. */
export const outcomeOf = (language: Language, data: AppointmentPageData): Outcome | null => {
  const texts = catalogue[language].appointment
  if (data.fate === "cancelled")
    return { title: texts.cancelled, text: texts.cancelledText, good: data.action === "cancel" }
  return data.fate === "over" ? { title: texts.over, text: texts.callPractice, good: false } : null
}

/** Why the page cannot do what its link is for; null where it can. */
export const blockOf = (language: Language, data: AppointmentPageData) => {
  const texts = catalogue[language].appointment
  if (data.action === "cancel" && !data.cancel_allowed) return texts.cancelBlocked
  return data.action === "rebook" && !data.rebook_allowed ? texts.rebookBlocked : null
}

/** What the page is for first. */
export const headingOf = (language: Language, { action, join_window, meeting_format }: AppointmentPageData) => {
  const texts = catalogue[language].appointment
  if (action === "join" && meeting_format === "IN_PERSON") return texts.onSiteTitle
  if (action === "join") return join_window.state === "open" ? texts.joinTitle : texts.joinEarlyTitle
  return action === "cancel" ? texts.cancelTitle : texts.rebookTitle
}

/** The page's title: how things stand. Never what the appointment is about. */
export const appointmentTitle = (language: Language, data: AppointmentPageData) => {
  const texts = catalogue[language].appointment
  const title =
    outcomeOf(language, data)?.title ?? blockOf(language, data) ?? `${headingOf(language, data)} – ${texts.title}`
  return data.refused ? `${catalogue[language].page.attention}: ${title}` : title
}
