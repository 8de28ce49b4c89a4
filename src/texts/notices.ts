/**
 * Messages by kind: what staff call them, and their own texts in every language (what all of them share is in the catalogue). In
 * `en-US` only what is written in another way.
 */
import type { Language } from "./language.ts"

interface Written<T> {
  readonly name: Readonly<Record<"de" | "en", string>>
  readonly de: T
  readonly en: T
  readonly "en-US"?: Partial<T>
}
type Further = Exclude<Language, keyof Written<unknown>>
type Notice<T> = Written<T> & Readonly<Record<Further, T>>

/** The texts of one of the core's kinds; further languages bring their own. */
const coreNotice = <const K extends string>(texts: Written<Readonly<Record<K, string>>>) => texts

/** The texts of one kind in every language. */
export const notice = <const K extends string>(texts: Notice<Readonly<Record<K, string>>>) => texts

const core = {
  reminder: coreNotice({
    name: { de: "Erinnerung", en: "Reminder" },
    de: {
      subject: "Erinnerung: Termin am {when}",
      opening: "wir erinnern Sie an Ihren Termin mit {counterpart}.",
      sms: "Erinnerung: Ihr Termin mit {counterpart} am {when}."
    },
    en: {
      subject: "Reminder: appointment on {when}",
      opening: "This is a reminder of your appointment with {counterpart}.",
      sms: "Reminder: your appointment with {counterpart} on {when}."
    }
  }),
  confirmation: coreNotice({
    name: { de: "Bestätigung", en: "Confirmation" },
    de: {
      subject: "Terminbestätigung: {when}",
      opening: "Ihr Termin mit {counterpart} ist bestätigt.",
      sms: "Ihr Termin mit {counterpart} am {when} ist bestätigt."
    },
    en: {
      subject: "Appointment confirmed: {when}",
      opening: "Your appointment with {counterpart} is confirmed.",
      sms: "Your appointment with {counterpart} on {when} is confirmed."
    }
  }),
  cancellation: coreNotice({
    name: { de: "Absage", en: "Cancellation" },
    de: {
      subject: "Termin abgesagt: {when}",
      opening: "Ihr Termin mit {counterpart} wurde abgesagt.",
      sms: "Ihr Termin mit {counterpart} am {when} wurde abgesagt."
    },
    en: {
      subject: "Appointment cancelled: {when}",
      opening: "Your appointment with {counterpart} has been cancelled.",
      sms: "Your appointment with {counterpart} on {when} has been cancelled."
    },
    "en-US": {
      subject: "Appointment canceled: {when}",
      opening: "Your appointment with {counterpart} has been canceled.",
      sms: "Your appointment with {counterpart} on {when} has been canceled."
    }
  }),
  rebooking: coreNotice({
    name: { de: "Verschiebung", en: "Move" },
    de: {
      subject: "Termin verschoben auf {when}",
      opening: "Ihr Termin mit {before} wurde verschoben, von {from} auf {to}.",
      sms: "Ihr Termin mit {before} wurde verschoben auf {to}."
    },
    en: {
      subject: "Appointment moved to {when}",
      opening: "Your appointment with {before} was moved from {from} to {to}.",
      sms: "Your appointment with {before} has been moved to {to}."
    }
  })
}
type Core = typeof core
/** The texts by kind. A capability declares those of its kinds here, too: `declare module`. */
export interface NoticeTexts extends Core {}
/** Those of the core's kinds, in one language. */
export type CoreNotices = { readonly [One in keyof Core]: Core[One]["de"] }
type Kind = keyof NoticeTexts
type TextsOf<One extends Kind> = NoticeTexts[One]["de"]

const notices = { ...core } as NoticeTexts // capabilities add the rest

/** Adds the texts of a capability's kinds. Called at start. */
export const addNoticeTexts = (added: Partial<NoticeTexts>) => {
  Object.assign(notices, added)
}

/** Adds the core's kinds in a further language. Called at start. */
export const addCoreNotices = (language: string, added: CoreNotices) => {
  for (const [kind, texts] of Object.entries(added)) Object.assign(core[kind as keyof Core], { [language]: texts }) // its keys
}

type AsWritten<T> = Written<T> & Partial<Readonly<Record<Further, T>>>
const inLanguage = <T>(texts: AsWritten<T>, language: Language): T =>
  language === "en-US" ? { ...texts.en, ...texts["en-US"] } : (texts[language] ?? texts.en)

/** The texts of a kind in a language. */
export const noticeText = <One extends Kind>(kind: One, language: Language): TextsOf<One> =>
  inLanguage(notices[kind] as AsWritten<TextsOf<One>>, language) // as: `notice` has checked it

/** What staff call a kind; one whose capability is off has its own name. */
export const noticeName = (kind: Kind, language: Language): string =>
  Object.hasOwn(notices, kind) ? notices[kind].name[language === "de" ? "de" : "en"] : kind

/** Every kind's texts in a language. */
export const allNoticeTexts = (language: Language) =>
  Object.fromEntries(Object.keys(notices).map((kind) => [kind, noticeText(kind as Kind, language)])) // its keys
