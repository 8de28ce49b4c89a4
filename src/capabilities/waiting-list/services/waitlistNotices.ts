/** Messages of the waiting list: an offer, and a pause after three that were left unanswered. Section 19.3. */

import { Effect, Option } from "effect"
import { DAY, HOUR } from "../../../schemas/seconds.ts"
import type { RecordMessage, RecordNotice, SampleFacts } from "../../../services/notifications/NoticeSource.ts"
import type { Addressee } from "../../../services/notifications/Recipients.ts"
import { longPeriod, shortTime } from "../../../services/notifications/times.ts"
import { inLanguage } from "../../../texts/inLanguage.ts"
import type { Language } from "../../../texts/language.ts"
import { WaitlistEntryUid, WaitlistOfferUid } from "../schemas/Waitlist.ts"
import { pageTextsOf } from "../texts/page.ts"
import type { Offers } from "./Offers.ts"
import type { ShownOffer } from "./WaitlistRepo.ts"

type ForOffer = Pick<
  ShownOffer,
  "doctor_timezone" | "appointment_type_name" | "doctor_display_name" | "translations"
> & {
  readonly start_date: number
  readonly end_date: number
  readonly expires_at: number
  readonly hold_uid: string | null
  readonly replaced_start: number | null
}

const offerNotice = (offer: ForOffer, url: string, language: Language): RecordNotice => {
  const reader = { language, timezone: offer.doctor_timezone }
  const { facts, accept, decline, leave } = pageTextsOf(language)
  const until = shortTime(reader, offer.expires_at)
  return {
    values: { when: shortTime(reader, offer.start_date), until, url },
    facts: [
      [facts.when, longPeriod(reader, offer.start_date, offer.end_date)],
      [facts.what, inLanguage({ name: offer.appointment_type_name, translations: offer.translations }, language).name],
      [facts.doctor, offer.doctor_display_name],
      [offer.hold_uid === null ? facts.first : facts.until, until],
      ...(offer.replaced_start === null ? [] : [[facts.replaces, shortTime(reader, offer.replaced_start)] as const])
    ],
    links: [
      [accept, url],
      [decline, `${url}#decline`],
      [leave, `${url}#leave`]
    ]
  }
}

const pauseNotice = (url: string, language: Language): RecordNotice => {
  const { goOn, leave } = pageTextsOf(language)
  return {
    values: { url },
    facts: [],
    links: [
      [goOn, `${url}#go-on`],
      [leave, `${url}#leave`]
    ]
  }
}

export const waitlistNotices = (offers: Offers) => ({
  offer: ({ organisation_uid, subject_uid }: RecordMessage, recipient: Addressee) =>
    Effect.map(
      offers.toSend(organisation_uid, WaitlistOfferUid.make(subject_uid)),
      Option.map(({ offer, url }) => offerNotice(offer, url, recipient.language))
    ),
  paused: ({ organisation_uid, subject_uid }: RecordMessage, recipient: Addressee) =>
    Effect.map(
      offers.pausedLink(organisation_uid, WaitlistEntryUid.make(subject_uid)),
      Option.map((url) => pauseNotice(url, recipient.language))
    )
})

export const sampleOffer = (facts: SampleFacts, language: Language) =>
  offerNotice(
    {
      ...facts,
      translations: [],
      doctor_timezone: facts.timezone,
      expires_at: facts.start_date - DAY + 2 * HOUR,
      hold_uid: "hld_preview",
      replaced_start: null
    },
    facts.url,
    language
  )

export const samplePause = ({ url }: SampleFacts, language: Language) => pauseNotice(url, language)
