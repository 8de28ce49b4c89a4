/** Messages of the waiting list: an offer, and a pause after three that were left unanswered. Section 19.3. */
import { Effect, Option } from "effect"
import { WaitlistEntryUid, WaitlistOfferUid } from "../../schemas/ids.ts"
import type { RecordMessage, RecordNotice } from "../../services/notifications/NoticeSource.ts"
import type { Addressee } from "../../services/notifications/Recipients.ts"
import { longPeriod, shortTime } from "../../services/notifications/times.ts"
import type { Offers } from "../../services/scheduling/waitlist/Offers.ts"
import type { ShownOffer } from "../../services/scheduling/waitlist/WaitlistRepo.ts"
import { catalogue } from "../../texts/catalogue.ts"
import { fill } from "../../texts/fill.ts"
import { inLanguage } from "../../texts/inLanguage.ts"
import { noticeText } from "../../texts/notices.ts"

const offerNotice = (offer: ShownOffer, url: string, { language, display_name }: Addressee): RecordNotice => {
  const reader = { language, timezone: offer.doctor_timezone }
  const { greeting } = catalogue[language].messages
  const texts = noticeText("waitlist_offer", language)
  const { facts, accept, decline, leave } = catalogue[language].waitlist
  const when = shortTime(reader, offer.start_date)
  const until = shortTime(reader, offer.expires_at)
  return {
    subject: fill(texts.subject, { when }),
    greeting: fill(greeting, { name: display_name }),
    opening: texts.opening,
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
    ],
    hint: null,
    sms: fill(texts.sms, { when, until, url })
  }
}

const pauseNotice = (url: string, { language, display_name }: Addressee): RecordNotice => {
  const { greeting } = catalogue[language].messages
  const texts = noticeText("waitlist_paused", language)
  const { goOn, leave } = catalogue[language].waitlist
  return {
    subject: texts.subject,
    greeting: fill(greeting, { name: display_name }),
    opening: texts.opening,
    facts: [],
    links: [
      [goOn, `${url}#go-on`],
      [leave, `${url}#leave`]
    ],
    hint: null,
    sms: fill(texts.sms, { url })
  }
}

export const waitlistNotices = (offers: Offers) => ({
  offer: ({ organisation_uid, subject_uid }: RecordMessage, recipient: Addressee) =>
    Effect.map(
      offers.toSend(organisation_uid, WaitlistOfferUid.make(subject_uid)),
      Option.map(({ offer, url }) => offerNotice(offer, url, recipient))
    ),
  paused: ({ organisation_uid, subject_uid }: RecordMessage, recipient: Addressee) =>
    Effect.map(
      offers.pausedLink(organisation_uid, WaitlistEntryUid.make(subject_uid)),
      Option.map((url) => pauseNotice(url, recipient))
    )
})
