/** What a request says about the form and the page of its answer. */
import { Effect, type Option, Schema } from "effect"
import { keys } from "../../../schemas/paging.ts"
import type { ResourceType } from "../schemas/rights.ts"
import { badParameter } from "../services/refused.ts"
import type { View } from "./views.ts"

/** Resources on a page, by default. */
const COUNT = 100

export const viewOf = Effect.fnUntraced(function* (query: URLSearchParams) {
  const summary = query.get("_summary") || "false"
  if (summary !== "true" && summary !== "false" && summary !== "text" && summary !== "data" && summary !== "count")
    return yield* badParameter("_summary", "must be true, false, text, data or count")
  const elements = (query.get("_elements") ?? "").split(",").filter((name) => name !== "")
  const view: View = { summary, elements: elements.length === 0 ? undefined : elements }
  return view
})

/** A page's position in its link, and back. */
export const cursorOf = (position: ReadonlyArray<string | number>) =>
  Buffer.from(JSON.stringify(position)).toString("base64url")
const { time, text: uid } = keys
const reader = <A extends ReadonlyArray<string | number>>(position: Schema.Schema<A>) =>
  Schema.decodeUnknownOption(Schema.parseJson(position))
const ofUid = reader(Schema.Tuple(uid))
const positionReaders: Readonly<Record<ResourceType, (text: string) => Option.Option<ReadonlyArray<string | number>>>> =
  {
    Schedule: reader(Schema.Tuple(uid, uid)),
    Slot: reader(Schema.Tuple(time, uid, uid)),
    HealthcareService: ofUid,
    Practitioner: ofUid,
    Patient: ofUid,
    Questionnaire: reader(Schema.Tuple(Schema.Number)),
    QuestionnaireResponse: reader(Schema.Tuple(Schema.Number)),
    Appointment: reader(Schema.Tuple(time, uid))
  }
export const positionIn = (type: ResourceType, text: string | null) =>
  text === null || text === ""
    ? Effect.succeed(undefined)
    : Effect.mapError(positionReaders[type](Buffer.from(text, "base64url").toString("utf8")), () =>
        badParameter("_cursor", "must be of a link that was answered")
      )

export const countOf = (query: URLSearchParams, most: number) => {
  const text = query.get("_count") || String(COUNT)
  return /^\d{1,9}$/.test(text)
    ? Effect.succeed(Math.min(Number(text), most))
    : badParameter("_count", "must be a number")
}
