/** Forms and answers in the form in which other systems exchange them: questionnaires, a version each, and responses to them. */
import { Effect, Option } from "effect"
import type { Exchanged } from "../../shared/services/addedExtension.ts"
import { type Answers, type FormItem, FormUid } from "../schemas/Form.ts"
import type { ReadFile } from "../schemas/TypeFields.ts"
import { textIn } from "./engine.ts"
import type { Forms } from "./Forms.ts"
import type { Responses } from "./Responses.ts"

const textOf = (text: FormItem["text"]) => textIn(text, "de")

const valueTypes: Readonly<Partial<Record<FormItem["type"], string>>> = {
  boolean: "Boolean",
  integer: "Integer",
  decimal: "Decimal",
  date: "Date"
}

/** A value under its type's name: `valueBoolean`, `answerDate`. */
const valueOf = (prefix: "value" | "answer", { type, options }: FormItem, value: unknown) => {
  if (type !== "choice") return { [`${prefix}${valueTypes[type] ?? "String"}`]: value }
  const option = options.find(({ code }) => code === value)
  return { [`${prefix}Coding`]: { code: value, ...(option !== undefined && { display: textOf(option.text) }) } }
}

const attachmentOf = ({ media_type, url, size, name }: ReadFile) => ({
  contentType: media_type,
  ...(url !== null && { url }),
  size,
  title: name
})

const answered = (
  items: ReadonlyArray<FormItem>,
  answers: Answers,
  files: ReadonlyArray<ReadFile>
): ReadonlyArray<object> =>
  items.flatMap((item) => {
    const given = answers[item.link_id]
    const answer = (Array.isArray(given) ? given : given === undefined ? [] : [given]).map((value) => {
      const file = item.type === "file" ? files.find(({ uid }) => uid === value) : undefined
      return file === undefined ? valueOf("value", item, value) : { valueAttachment: attachmentOf(file) }
    })
    const inner = answered(item.items, answers, files)
    return answer.length + inner.length === 0
      ? []
      : [
          {
            linkId: item.link_id,
            text: textOf(item.text),
            ...(answer.length > 0 && { answer }),
            ...(inner.length > 0 && { item: inner })
          }
        ]
  })

const types: Readonly<Partial<Record<FormItem["type"], string>>> = { file: "attachment" }

const asked = (items: ReadonlyArray<FormItem>, earlier: Map<string, FormItem>): ReadonlyArray<object> =>
  items.map((item) => {
    const { link_id, type, text, required, repeats, options, max_length, enable_when, enable_behavior } = item
    const enableWhen = enable_when.map(({ link_id: question, operator, answer }) => {
      const named = earlier.get(question)
      const compared =
        operator === "exists" || named === undefined ? { answerBoolean: answer } : valueOf("answer", named, answer)
      return { question, operator, ...compared }
    })
    earlier.set(link_id, item)
    return {
      linkId: link_id,
      text: textOf(text),
      type: types[type] ?? type,
      ...(enableWhen.length > 0 && { enableWhen, enableBehavior: enable_behavior }),
      ...(type !== "display" && { required, repeats }),
      ...(max_length !== null && { maxLength: max_length }),
      ...(options.length > 0 && {
        answerOption: options.map(({ code, text: display }) => ({ valueCoding: { code, display: textOf(display) } }))
      }),
      ...(item.items.length > 0 && { item: asked(item.items, earlier) })
    }
  })

/** A questionnaire is a form's version. */
const uidOf = (form_uid: string, version: number) => `${form_uid}-${version}`

interface Services {
  readonly forms: Forms
  readonly responses: Responses
}

export const exchanged = ({ forms, responses }: Services): Readonly<Record<string, Exchanged>> => ({
  Questionnaire: (owner, of) => {
    const [, form_uid, number] = ("uid" in of ? /^(.+)-([1-9]\d{0,8})$/.exec(of.uid) : null) ?? []
    if (form_uid === undefined) return Effect.succeed([])
    const version = Number(number)
    return Effect.map(forms.version(owner, FormUid.make(form_uid), version), (found) =>
      Option.toArray(found).map(({ title, items }) => ({
        uid: uidOf(form_uid, version),
        updated_at: 0,
        content: {
          version: String(version),
          title: textOf(title),
          status: "active",
          subjectType: ["Patient"],
          item: asked(items, new Map())
        }
      }))
    )
  },
  QuestionnaireResponse: (owner, of, refer) =>
    Effect.map(responses.exchanged(owner, of), (found) =>
      found.map(({ uid, patient_uid, updated_at, form }) => ({
        uid,
        updated_at,
        content: {
          ...(form.form_uid !== null && {
            questionnaire: refer("Questionnaire", uidOf(form.form_uid, form.form_version))
          }),
          status: form.complete ? "completed" : "in-progress",
          subject: { reference: refer("Patient", patient_uid) },
          authored: new Date(updated_at * 1000).toISOString().replace(".000Z", "Z"),
          item: answered(form.items, form.answers, form.files)
        }
      }))
    )
})
