import {
  type MessagePart,
  type MessageText,
  messageLanguages,
  messagePartNames,
  placesIn
} from "../../../../schemas/notifications/MessageText.ts"
import { allNoticeKinds } from "../../../../schemas/notifications/notices.ts"
import { fill } from "../../../../texts/fill.ts"
import { nameOfLanguage } from "../../../../texts/language.ts"
import { noticeName } from "../../../../texts/notices.ts"
import { Card, Do, Field, PageHead, Submit, useAddress, useDesk } from "../../../shared/pages/Desk.tsx"
import { useTexts } from "../useTexts.ts"

/** Which texts: of a kind of message in a language. */
export type WhichTexts = Pick<MessageText, "kind" | "language">

interface TextsPageProps {
  readonly all: ReadonlyArray<MessageText>
  readonly chosen: WhichTexts
  readonly standard: Readonly<Record<MessagePart, string>>
}

export const CHANGE_TEXTS = "PATCH /v1/management/organisation"
const PREVIEW = "mail-preview"

/** The placeholders of a text, each with what it stands for. */
const Places = ({ kind, part }: { readonly kind: MessageText["kind"]; readonly part: MessagePart }) => {
  const { practice: texts } = useTexts()
  return (
    <small class="help">
      {placesIn(kind, part)
        .map((place) => `{${place}} ${texts.own.places[place as keyof typeof texts.own.places]}`) // the keys of that table
        .join(" · ")}
    </small>
  )
}

const TextsForm = ({ all, chosen, standard }: TextsPageProps) => {
  const { practice: texts, frame } = useTexts()
  const { kind, language } = chosen
  const own = all.find((one) => one.kind === kind && one.language === language)
  const address = useAddress()
  const { language: desk } = useDesk()
  return (
    <Card id="texts" title={`${noticeName(kind, desk)}, ${nameOfLanguage(language)}`}>
      <p class="help">{own === undefined ? texts.own.isStandard : texts.own.isOwn}</p>
      <Do operation={CHANGE_TEXTS} to="texts" hidden={{ kind, language, "@in": desk }}>
        {messagePartNames.map((part) => (
          <div key={part} lang={language} dir="auto">
            <Field
              label={texts.own.parts[part]}
              name={part}
              value={own?.[part] ?? standard[part]}
              {...(part === "subject" || part === "greeting" ? {} : { rows: part === "opening" ? 5 : 3 })}
            />
            <Places kind={kind} part={part} />
          </div>
        ))}
        <p class="actions">
          <Submit text={frame.save} />
          <button type="submit" class="secondary" formaction="/console/practice/texts/preview" formtarget={PREVIEW}>
            {texts.own.preview}
          </button>
        </p>
      </Do>
      {own === undefined ? null : (
        <details>
          <summary>{texts.own.toStandard}</summary>
          <p>{fill(texts.own.question, { kind: noticeName(kind, desk), language: nameOfLanguage(language) })}</p>
          <Do operation={CHANGE_TEXTS} to="texts" hidden={{ kind, language }} class="press">
            <Submit text={texts.own.confirm} look="primary danger" />
          </Do>
        </details>
      )}
      <h3>{texts.mailPreview}</h3>
      <iframe
        class="mail-preview"
        name={PREVIEW}
        title={texts.mailPreview}
        src={address({ preview: "1" }).replace("/texts?", "/texts/preview?")}
      />
    </Card>
  )
}

/** The texts of messages to patients, by kind and language. */
export const TextsPage = (props: TextsPageProps) => {
  const { all, chosen } = props
  const { practice: texts } = useTexts()
  const { language: desk } = useDesk()
  const address = useAddress()
  return (
    <>
      <PageHead title={texts.own.title} />
      <p class="help">{texts.own.help}</p>
      <div class="board">
        <Card id="kinds" title={texts.own.kinds}>
          <nav aria-label={texts.own.kinds}>
            <ul class="rows">
              {allNoticeKinds().map((kind) => (
                <li key={kind}>
                  <a
                    class="grow"
                    href={address({ kind, language: chosen.language })}
                    aria-current={kind === chosen.kind ? "true" : undefined}
                  >
                    {noticeName(kind, desk)}
                  </a>
                  {all.some((one) => one.kind === kind) ? <span class="badge">{texts.own.changed}</span> : null}
                </li>
              ))}
            </ul>
          </nav>
          <nav class="console-links" aria-label={texts.own.languages}>
            {messageLanguages.map((language) => (
              <a
                key={language}
                lang={language}
                href={address({ kind: chosen.kind, language })}
                aria-current={language === chosen.language ? "true" : undefined}
              >
                {nameOfLanguage(language)}
              </a>
            ))}
          </nav>
        </Card>
        <TextsForm {...props} />
      </div>
    </>
  )
}
