/** Formats in which staff enter what forms are made of, and what the interface has instead. */
import type { AddedUnits } from "../../shared/http/pages.ts"

const linesOf = (text: string | undefined) =>
  (text ?? "")
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean)

const NUMBER = /^[+-]?\d+(?:[.,]\d+)?$/

/** A code from an option's text, such as `alle-paar-tage`. */
const codeFrom = (text: string, index: number) =>
  text
    .normalize("NFC")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, "-")
    .replaceAll(/^-|-$/g, "")
    .slice(0, 40) || `option-${index + 1}`

/**
 * The codes of options by their texts. `before`: codes and texts as they were, with a tab between; an option keeps its code while its
 * text stays, or its place in a list of the same length.
 */
export const codesOf = (texts: ReadonlyArray<string>, before: string | undefined) => {
  const known = linesOf(before).map((line) => line.split("\t"))
  const codes: Array<string> = []
  for (const [index, text] of texts.entries()) {
    const [same] = known.find(([, own]) => own === text) ?? (known.length === texts.length ? (known[index] ?? []) : [])
    const wanted = same ?? codeFrom(text, index)
    codes.push(codes.includes(wanted) ? `${wanted}-${index + 1}` : wanted)
  }
  return codes
}
export const optionLines = linesOf

export const units: AddedUnits = {
  /** Options of a choice in one language, one a line: `options@lines.de`. */
  lines: ({ name, of, values }) => linesOf(values.at(-1)).map((line, index) => [`${name}.${index}.text.${of}`, [line]]),
  /** Their codes: `options@codes` has them as they were, `options@lines.…` of the first language their texts now. */
  codes: ({ name, values, fields }) => {
    const [, first] = [...fields].find(([key]) => key.startsWith(`${name}@lines.`)) ?? []
    return codesOf(linesOf(first?.at(-1)), values.at(-1)).map((code, index) => [`${name}.${index}.code`, [code]])
  },
  /** `allergies = true` of `…link_id@when`: a condition. `age > number` and `city = text` have the value in `…answer@when`; nothing is none. */
  when: ({ name, values, fields }) => {
    const place = name.replace(/\.\w+$/, "")
    const [link_id = "", operator = "", ...rest] = (values.at(-1) ?? "").split(" ")
    if (!name.endsWith(".link_id") || link_id === "") return []
    const typed = fields.get(`${place}.answer@when`)?.at(-1)?.trim() ?? ""
    const known = rest.join(" ")
    const number = NUMBER.test(typed) ? typed.replace(",", ".") : JSON.stringify(typed)
    const answer = known === "number" ? number : known === "text" ? JSON.stringify(typed) : known
    return [
      [`${place}.link_id`, [link_id]],
      [`${place}.operator`, [operator]],
      [`${place}.answer`, [answer]]
    ]
  },
  /** `type aty_1` of `then@outcome`: what a rule leads to, and where. */
  outcome: ({ name, values }) => {
    const [then = "", type] = (values.at(-1) ?? "").split(" ")
    return [
      [name, [then]],
      ...(type === undefined ? [] : [[name.replace(/then$/, "appointment_type_uid"), [type]] as const])
    ]
  },
  /** A field of a form before the visit; none of an entry without a form. */
  asked: ({ name, values, fields }) =>
    fields.get(`${name.replace(/\.\w+$/, "")}.form_uid@asked`)?.at(-1) ? [[name, values]] : []
}
