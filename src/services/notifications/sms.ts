/** A notice as a text message: short, since it is paid for by the piece and read on a lock screen. */
import { catalogue } from "../../texts/catalogue.ts"
import { fill } from "../../texts/fill.ts"
import { type AppointmentNotice, counterpart, shownReason } from "./AppointmentNotice.ts"
import { shortTime } from "./times.ts"

/** Longer reasons are cut: a text message of 2000 characters would be 13 of them. */
const LONGEST_REASON = 120

export const smsOf = (notice: AppointmentNotice): string => {
  const texts = catalogue[notice.recipient.language].messages
  const when = shortTime(notice.recipient, notice.appointment.start_date)
  const reason = shownReason(notice)
  return [
    fill(texts.sms[notice.kind], { counterpart: counterpart(notice), when }),
    ...(reason === null ? [] : [`${texts.reason}: ${shortened(reason)}`]),
    ...(notice.links.join === undefined ? [] : [`${texts.join}: ${notice.links.join}`]),
    notice.organisation_name
  ].join("\n")
}

const shortened = (text: string) => {
  const characters = [...text]
  return characters.length <= LONGEST_REASON ? text : `${characters.slice(0, LONGEST_REASON - 1).join("")}…`
}
