/** A notice as a text message: short, since it is billed per part and shown on a lock screen. */
import { noticeOf } from "../../schemas/notifications/notices.ts"
import { catalogue } from "../../texts/catalogue.ts"
import type { Texts } from "../../texts/de.ts"
import { type AppointmentNotice, shownReason } from "./AppointmentNotice.ts"
import { wordingOfNotice } from "./mail.ts"

/** Longer reasons are truncated: a text message of 2000 characters would have 13 parts. */
const REASON_MAX = 120

export const smsOf = (notice: AppointmentNotice): string => {
  const texts = catalogue[notice.recipient.language].messages
  const reason = shownReason(notice)
  return [
    wordingOfNotice(notice).sms,
    ...(reason === null ? [] : [`${texts.reason}: ${truncated(reason)}`]),
    ...(notice.entries ?? []).map(([label, text]) => `${label}: ${truncated(text)}`),
    ...linkOf(notice, texts),
    notice.organisation_name
  ].join("\n")
}

const linkOf = ({ kind, links }: AppointmentNotice, texts: Texts["messages"]) => {
  if (noticeOf(kind).asksToMove) return links.rebook === undefined ? [] : [`${texts.rebook}: ${links.rebook}`]
  return links.join === undefined ? [] : [`${texts.join}: ${links.join}`]
}

const truncated = (text: string) => {
  const characters = [...text]
  return characters.length <= REASON_MAX ? text : `${characters.slice(0, REASON_MAX - 1).join("")}…`
}
