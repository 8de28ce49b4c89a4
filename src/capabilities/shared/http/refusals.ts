import { HttpServerResponse } from "@effect/platform"
import { Effect, Option, Predicate, Schema } from "effect"
import type { Language } from "../../../texts/language.ts"
import type { Problem } from "../pages/Desk.tsx"
import { faultIn } from "../texts/faults.ts"

const Refusal = Schema.Struct({ code: Schema.String, error: Schema.Union(Schema.String, Schema.Array(Schema.String)) })

/** The refusal that the API reported for an operation: its code, and each fault as `field: message`. */
export interface Refused {
  readonly operation: string
  readonly code: string
  readonly details: ReadonlyArray<string>
}

export const problemIn = (operation: string, answer: unknown): Refused =>
  Option.match(Schema.decodeUnknownOption(Refusal)(answer), {
    onNone: () => ({ operation, code: "unknown", details: [] }),
    // the text of any other refusal says in English what the page's text of its code says
    onSome: ({ code, error }) => ({ operation, code, details: typeof error === "string" ? [] : error })
  })

/** `lines[0].quantity: must be …` as the name of the form's field, `lines.0.quantity`, and the fault in the page's language. */
const faultOf = (language: Language, detail: string) => {
  const [, place = "", message = detail] = /^([\w.[\]-]+): (.*)$/s.exec(detail) ?? []
  const text = faultIn(language, message)
  // A place in a provisioning file is no field of the form, which says it by its label
  return { field: place.replaceAll(/\[(\d+)\]/g, ".$1"), text: place.startsWith("file.") ? `${place}: ${text}` : text }
}

/** The refusal as the page shows it. */
export const shownProblem = (language: Language, { operation, code, details }: Refused): Problem => ({
  operation,
  code,
  faults: details.map((detail) => faultOf(language, detail))
})

/** A field of a response's body, as text; null without it. */
export const fieldIn = (answer: unknown, field: string) =>
  Predicate.hasProperty(answer, field) ? String(answer[field]) : null

/** The JSON body of a response; an empty body is an empty object. */
export const answerOf = (response: HttpServerResponse.HttpServerResponse) =>
  Effect.map(
    Effect.promise(() => HttpServerResponse.toWeb(response).text()),
    (text): unknown => (text === "" ? {} : JSON.parse(text))
  )
