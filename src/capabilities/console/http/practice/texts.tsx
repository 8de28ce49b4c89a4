/** The practice's own texts of its messages: the page, their preview, and what its form does. Section 17.5. */
import { HttpServerResponse } from "@effect/platform"
import { Effect, Option, Schema } from "effect"
import { renderToString } from "preact-render-to-string"
import { seeOther } from "../../../../http/hosted/serving/pageHandler.ts"
import { type MessageText, messageLanguages, messagePartNames } from "../../../../schemas/notifications/MessageText.ts"
import { allNoticeKinds } from "../../../../schemas/notifications/notices.ts"
import { type Language, negotiateLanguage } from "../../../../texts/language.ts"
import { standardTexts } from "../../../../texts/standardTexts.ts"
import type { InProcessApi } from "../../../shared/http/InProcessApi.ts"
import { queryOf } from "../../../shared/http/query.ts"
import { answerOf, problemIn } from "../../../shared/http/refusals.ts"
import { faultIn } from "../../../shared/texts/faults.ts"
import { CHANGE_TEXTS, TextsPage, type WhichTexts } from "../../pages/practice/TextsPage.tsx"
import { MessageTextPreview } from "../../schemas/MessagePreview.ts"
import { FormRefused } from "../serving/Console.tsx"
import type { Fields } from "../serving/formFields.ts"
import type { Visitor } from "../serving/visitor.ts"

const PAGE = "/console/practice/texts"
const isSame = (one: WhichTexts) => (other: WhichTexts) => one.kind === other.kind && one.language === other.language

const whichIn = (value: (name: string) => string | null | undefined): WhichTexts => ({
  kind: allNoticeKinds().find((kind) => kind === value("kind")) ?? "confirmation",
  language: messageLanguages.find((language) => language === value("language")) ?? "de"
})

export const messageTexts = Effect.fn("console.messageTexts")(function* ({ api, query, texts }: Visitor) {
  const { message_texts } = yield* api["organisation.settings"].one({})
  const chosen = whichIn((name) => query.get(name))
  return {
    title: texts.practice.own.title,
    live: false,
    documents: true,
    body: <TextsPage all={message_texts} chosen={chosen} standard={standardTexts(chosen.kind, chosen.language)} />
  }
})

/** The form's texts; what is the standard's is not stored, so that a later standard text counts. */
const textsIn = (fields: Fields): MessageText => {
  const value = (name: string) => fields.get(name)?.at(-1)
  const which = whichIn(value)
  const standard = standardTexts(which.kind, which.language)
  const lines = (text: string) => text.replaceAll("\r\n", "\n").trim()
  const parts = messagePartNames.map((part) => {
    const text = lines(value(part) ?? "")
    return [part, text === "" || text === standard[part] ? null : text] as const
  })
  return { ...which, ...(Object.fromEntries(parts) as Omit<MessageText, keyof WhichTexts>) } // of every part
}

/** Stores the texts of the form instead of those of this kind and language; none of its own are none. */
export const changeTexts = Effect.fnUntraced(function* ({ client, send }: InProcessApi, fields: Fields) {
  const api = yield* client
  const texts = textsIn(fields)
  const { kind, language } = texts
  const { message_texts } = yield* api["organisation.settings"].one({})
  const others = message_texts.filter((one) => !isSame(texts)(one))
  const isOwn = messagePartNames.some((part) => texts[part] !== null)
  const response = yield* send(
    "PATCH",
    "/v1/management/organisation",
    { message_texts: isOwn ? [...others, texts] : others },
    { version: fields.get("@version")?.[0] }
  )
  const address = `${PAGE}?${new URLSearchParams({ kind, language })}`
  if (response.status < 300) return seeOther(`${address}&done=1`)
  const refused = problemIn(CHANGE_TEXTS, yield* answerOf(response))
  const details = refused.details.map((detail) => detail.replace(`message_texts[${others.length}].`, ""))
  return yield* new FormRefused({ address, status: response.status, problem: { ...refused, details }, fields })
})

/** A mail as a page, which runs and loads nothing, and may be shown in a frame of the service's own pages or of none. */
export const framed = (html: string, ancestors: "none" | "self") =>
  HttpServerResponse.text(html, {
    contentType: "text/html; charset=utf-8",
    headers: {
      "content-security-policy": `default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors '${ancestors}'; sandbox`,
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff"
    }
  })

const preview = Effect.fnUntraced(function* (send: InProcessApi["send"], texts: MessageText, reader: Language) {
  const answer = yield* Effect.flatMap(send("POST", "/v1/management/messages/preview", texts), answerOf)
  const found = Schema.decodeUnknownOption(MessageTextPreview)(answer)
  if (Option.isSome(found)) {
    const { subject, html, sms } = found.value
    const [head, foot] = [
      ["E-Mail", subject],
      ["SMS", sms]
    ].map(([name, text]) =>
      renderToString(
        <p class="closing">
          <strong>{name}</strong>
          {`\n${text}`}
        </p>
      )
    )
    return framed(
      html.replace("<body>", () => `<body>${head}`).replace("</body>", () => `${foot}</body>`),
      "self"
    )
  }
  const { details } = problemIn(CHANGE_TEXTS, answer)
  const faults = details.map((detail) => faultIn(reader, detail.replace(/^\w+: /, "")))
  const list = faults.map((fault) => <p key={fault}>{fault}</p>)
  return framed(`<!doctype html>${renderToString(<body>{list}</body>)}`, "self")
})

/** The message in the texts of the form. */
export const previewTyped = ({ send }: InProcessApi, fields: Fields) =>
  preview(send, textsIn(fields), negotiateLanguage({ chosen: fields.get("@in")?.[0] }))

/** The message in the stored texts. */
export const previewStored = Effect.fnUntraced(function* ({ client, send }: InProcessApi) {
  const api = yield* client
  const query = yield* queryOf
  const which = whichIn((name) => query.get(name))
  const { message_texts } = yield* api["organisation.settings"].one({})
  const none = { subject: null, greeting: null, opening: null, closing: null, sms: null }
  return yield* preview(send, message_texts.find(isSame(which)) ?? { ...which, ...none }, "en")
})
