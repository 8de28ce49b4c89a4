/** An organisation's own texts of its messages to patients, by kind and language (Rule 6.7.9). */
import { Schema } from "effect"
import { listingFaults } from "../faults.ts"
import { described, isText, isWithin, oneOf, onOneLine, tidied, withDefault, withExample } from "../fields.ts"
import { AnyNoticeKind, type NoticeKind, notices, PAGE_PLACE, sharedPlaces } from "./notices.ts"

/** The languages of texts; `en-US` has those of `en`. */
export const messageLanguages = ["de", "en", "tr", "ar", "uk", "ru"] as const

/** The parts of a message that can be written anew, with the number of their characters. */
export const messageParts = { subject: 200, greeting: 200, opening: 2_000, closing: 500, sms: 480 } as const
export type MessagePart = keyof typeof messageParts
export const messagePartNames = Object.keys(messageParts) as ReadonlyArray<MessagePart> // the keys of that table

/** The placeholders of a part of a kind of message. */
export const placesIn = (kind: NoticeKind, part: MessagePart): ReadonlyArray<string> =>
  [...sharedPlaces, ...notices[kind].places].filter((place) => place !== PAGE_PLACE || part === "sms")

const inBraces = (place: string) => `{${place}}`

/** What is wrong with the placeholders of a text; null: nothing. */
const placeFault = (kind: NoticeKind, part: MessagePart, text: string): string | null => {
  const known = placesIn(kind, part).map(inBraces)
  const unknown = (text.match(/\{[^{}]{0,40}\}?|\}/g) ?? []).find((found) => !known.includes(found))
  if (unknown !== undefined) return `${unknown} is not a placeholder; those of this text are ${known.join(", ")}`
  return part === "sms" && known.includes(inBraces(PAGE_PLACE)) && !text.includes(inBraces(PAGE_PLACE))
    ? `must contain ${inBraces(PAGE_PLACE)}`
    : null
}

const partOf = (part: MessagePart, description: string) => {
  const max = messageParts[part]
  const message = () => `must be text of at most ${max} characters`
  const isShort = part === "subject" || part === "greeting"
  const text = Schema.String.annotations({ message }).pipe(
    Schema.filter((value) => isText(value) && isWithin(value, 0, max), { message, jsonSchema: { maxLength: max } })
  )
  const sent = described(Schema.NullOr(text), `${description}; null: the standard text`)
  return withDefault(
    Schema.transform(sent, Schema.NullOr(Schema.String), {
      strict: true,
      decode: (value) => (value === null ? null : (isShort ? onOneLine : tidied)(value) || null),
      encode: (value) => value
    }).annotations({ description: `${description}; null: the standard text` }),
    null
  )
}

const kindAndLanguage = {
  kind: described(AnyNoticeKind, "Subject of the message"),
  language: described(oneOf(...messageLanguages), "Language of the texts; those of en are for en-US too")
}

const fields = {
  ...kindAndLanguage,
  subject: partOf("subject", "Subject of the mail"),
  greeting: partOf("greeting", "First line of the mail"),
  opening: partOf("opening", "What the mail says before its facts and buttons; may have several lines"),
  closing: partOf("closing", "Last lines of the mail, before the practice's contact data"),
  sms: partOf("sms", "The text message, to which links are added")
}
const Texts = Schema.Struct(fields)
export type MessageText = typeof Texts.Type

const placeFaults = (one: MessageText) =>
  messagePartNames.flatMap((part) => {
    const text = one[part]
    const message = text === null ? null : placeFault(one.kind, part, text)
    return message === null ? [] : [{ path: [part], message }]
  })

export const MessageText = Texts.pipe(Schema.filter(placeFaults)).annotations({ identifier: "MessageText" })

/** Texts to look at before they are stored. */
export const NewMessageText = withExample(Texts.annotations(listingFaults).pipe(Schema.filter(placeFaults)), {
  kind: "reminder",
  language: "de",
  opening: "wir erinnern Sie an Ihren Termin am {when}. Bitte bringen Sie Ihre Versichertenkarte mit."
})
