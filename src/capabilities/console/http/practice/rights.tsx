/** A patient's rights: the page, and its two forms, which show their result instead of redirecting. Section 12.2. */
import { HttpServerResponse } from "@effect/platform"
import { Effect, Schema } from "effect"
import { ApiRefused, type InProcessApi } from "../../../../http/staff/InProcessApi.ts"
import { segment } from "../../../../http/staff/query.ts"
import { answerOf } from "../../../../http/staff/refusals.ts"
import { PatientUid } from "../../../../schemas/ids.ts"
import { Erased, NewErasure } from "../../../../schemas/patients/PatientRights.ts"
import { ErasedPage, RightsPage } from "../../pages/practice/RightsPages.tsx"
import { withRefusal } from "../serving/Console.tsx"
import { bodyOf, type Fields } from "../serving/formFields.ts"
import type { Visitor } from "../serving/visitor.ts"

export const rights = Effect.fn("console.rights")(function* ({ api, texts }: Visitor) {
  const patient_uid = PatientUid.make(yield* segment("uid"))
  const patient = yield* api["organisation.patients"].one({ path: { patient_uid } })
  const { data: consents } = yield* api["organisation.consents"].list({ path: { patient_uid }, urlParams: {} })
  const { timezone } = yield* api["organisation.settings"].one({})
  return {
    title: texts.practice.rights.title,
    zone: timezone,
    live: false,
    body: <RightsPage patient={patient} consents={consents} />
  }
})

const operationOn = Effect.map(segment("uid"), (uid) => `/v1/management/patients/${encodeURIComponent(uid)}`)

/** The patient's data as a file: HTML or JSON. */
export const exportFile = Effect.fnUntraced(function* ({ send }: InProcessApi, fields: Fields) {
  const isPage = fields.get("format")?.[0] === "html"
  const patient = yield* operationOn
  const response = yield* send("POST", `${patient}/${isPage ? "export-document" : "export"}`, {})
  if (response.status >= 300) return yield* new ApiRefused({ status: response.status })
  const name = `${yield* segment("uid")}.${isPage ? "html" : "json"}`
  return HttpServerResponse.setHeaders(response, {
    "content-disposition": `attachment; filename*=UTF-8''${encodeURIComponent(name)}`,
    "cache-control": "no-store",
    "x-content-type-options": "nosniff"
  })
})

/** Erases the patient and renders the result with `shown`; an error is shown on the form's page. */
export const erase = Effect.fnUntraced(function* <E, R>(
  { send }: InProcessApi,
  fields: Fields,
  shown: (answer: Erased) => Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>
) {
  const patient = yield* operationOn
  const response = yield* send("POST", `${patient}/erase`, bodyOf(NewErasure, fields))
  if (response.status < 300)
    return yield* Effect.flatMap(Effect.flatMap(answerOf(response), Schema.decodeUnknown(Erased)), shown)
  const address = `/console/practice/patients/${yield* segment("uid")}/rights`
  return yield* withRefusal(address, `POST ${patient}/erase`, response, fields)
})

export const erased = (answer: Erased) => (visitor: Visitor) =>
  Effect.succeed({ title: visitor.texts.practice.rights.done, live: false, body: <ErasedPage {...answer} /> })
