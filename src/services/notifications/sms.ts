/** A notice as a text message: short, since it is billed per part and shown on a lock screen. */
import { catalogue } from "../../texts/catalogue.ts"
import { fill } from "../../texts/fill.ts"
import { noticeText } from "../../texts/notices.ts"
import { type AppointmentNotice, counterpart, shownReason } from "./AppointmentNotice.ts"
import { shortTime } from "./times.ts"

/** Longer reasons are truncated: a text message of 2000 characters would have 13 parts. */
const REASON_MAX = 120

export const smsOf = (notice: AppointmentNotice): string => {
  const texts = catalogue[notice.recipient.language].messages
  const when = shortTime(notice.recipient, notice.appointment.start_date)
  const reason = shownReason(notice)
  return [
    fill(noticeText(notice.kind, notice.recipient.language).sms, { counterpart: counterpart(notice), when }),
    ...(reason === null ? [] : [`${texts.reason}: ${truncated(reason)}`]),
    ...(notice.links.join === undefined ? [] : [`${texts.join}: ${notice.links.join}`]),
    notice.organisation_name
  ].join("\n")
}

const truncated = (text: string) => {
  const characters = [...text]
  return characters.length <= REASON_MAX ? text : `${characters.slice(0, REASON_MAX - 1).join("")}…`
}
