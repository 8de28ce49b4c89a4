import { catalogue } from "../../texts/catalogue.ts"
import type { Language } from "../../texts/language.ts"

/** The context of an action link (Rule 5.4.5) with what the page adds. */
export interface AppointmentPageData {
  readonly action: "join" | "cancel" | "rebook"
  readonly appointment_start: number
  readonly appointment_end: number
  readonly doctor_display_name: string
  readonly appointment_type_name: string | null
  readonly join_window: { readonly state: "too_early" | "open" | "too_late"; readonly opens_at: number }
  readonly rebook_allowed: boolean
  readonly cancel_allowed: boolean
  /** what has become of it; null while it stands */
  readonly fate: "moved" | "cancelled" | "over" | null
  readonly zone: string
  readonly now: number
  /** where the button posts to */
  readonly post: string
  /** the button was pressed, and the service said no */
  readonly refused: boolean
}

export interface Outcome {
  readonly title: string
  readonly text: string
  readonly good: boolean
}

/** What is to be said when there is nothing to be done (any more). */
export const outcomeOf = (language: Language, data: AppointmentPageData): Outcome | null => {
  const texts = catalogue[language].appointment
  const no = (title: string): Outcome => ({ title, text: texts.callPractice, good: false })
  if (data.fate === "moved") return { title: texts.rebooked, text: texts.rebookedText, good: true }
  if (data.fate === "cancelled")
    return { title: texts.cancelled, text: texts.cancelledText, good: data.action === "cancel" }
  if (data.fate === "over" || (data.action === "join" && data.join_window.state === "too_late")) return no(texts.over)
  if (data.action === "cancel" && !data.cancel_allowed) return no(texts.cancelBlocked)
  return data.action === "rebook" && !data.rebook_allowed ? no(texts.rebookBlocked) : null
}

/** What the page's button is for, or waits for. */
export const headingOf = (language: Language, { action, join_window }: AppointmentPageData) => {
  const texts = catalogue[language].appointment
  if (action === "join") return join_window.state === "open" ? texts.joinTitle : texts.joinEarlyTitle
  return action === "cancel" ? texts.cancelTitle : texts.rebookTitle
}

/** The page's title: how things stand. Never what the appointment is about. */
export const appointmentTitle = (language: Language, data: AppointmentPageData) => {
  const texts = catalogue[language].appointment
  const title = outcomeOf(language, data)?.title ?? `${headingOf(language, data)} – ${texts.title}`
  return data.refused ? `${catalogue[language].page.attention}: ${title}` : title
}
