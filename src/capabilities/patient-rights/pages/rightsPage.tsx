/** A patient's rights: the page, and its two forms, which show their result instead of leading back. Section 12.2. */
import { HttpServerResponse } from "@effect/platform"
import { Effect, Schema } from "effect"
import { PatientUid } from "../../../schemas/ids.ts"
import type { AddedForm, AddedPage } from "../../shared/http/pages.ts"
import { segment } from "../../shared/http/query.ts"
import { answerOf } from "../../shared/http/refusals.ts"
import type { AddedCardProps } from "../../shared/pages/added.ts"
import { useDesk } from "../../shared/pages/Desk.tsx"
import { Erased, NewErasure } from "../schemas/PatientRights.ts"
import { deskTextsOf } from "../texts/desk.ts"
import { ErasedPage, RightsPage } from "./RightsPages.tsx"

export const rightsPage: AddedPage = {
  path: "patients/:uid/rights",
  hiddenFrom: [],
  show: Effect.fn("console.rights")(function* ({ api, language }) {
    const patient_uid = PatientUid.make(yield* segment("uid"))
    const patient = yield* api["organisation.patients"].one({ path: { patient_uid } })
    const { timezone } = yield* api["organisation.settings"].one({})
    return {
      title: deskTextsOf(language).rights.title,
      zone: timezone,
      live: false,
      body: <RightsPage patient={patient} />
    }
  })
}

/** The link to the page. */
export const RightsLink = ({ patient_uid }: AddedCardProps["patientHead"]) => {
  const { language, isOwner } = useDesk()
  return (
    <a class="quiet" href={`/console/practice/patients/${patient_uid}/rights`} hidden={!isOwner}>
      {deskTextsOf(language).rights.title}
    </a>
  )
}

const operationOn = (name: string) =>
  Effect.map(segment("uid"), (uid) => `/v1/management/patients/${encodeURIComponent(uid)}/${name}`)

const page = Effect.map(segment("uid"), (uid) => `/console/practice/patients/${encodeURIComponent(uid)}/rights`)

/** The patient's data as a file: HTML or JSON. */
export const exportForm: AddedForm = {
  operation: (fields) => operationOn(fields.get("format")?.[0] === "html" ? "export-document" : "export"),
  body: Schema.Struct({}),
  page,
  answered: Effect.fnUntraced(function* (response) {
    const end = response.headers["content-type"]?.startsWith("text/html") ? "html" : "json"
    const name = `${yield* segment("uid")}.${end}`
    return HttpServerResponse.setHeaders(response, {
      "content-disposition": `attachment; filename*=UTF-8''${encodeURIComponent(name)}`,
      "cache-control": "no-store",
      "x-content-type-options": "nosniff"
    })
  })
}

/** Erases the patient and shows what is gone and what is kept. */
export const eraseForm: AddedForm = {
  operation: () => operationOn("erase"),
  body: NewErasure,
  page,
  answered: (response, shown) =>
    Effect.flatMap(Effect.flatMap(answerOf(response), Schema.decodeUnknown(Erased)), (answer) =>
      shown(({ language }) => ({
        title: deskTextsOf(language).rights.done,
        live: false,
        body: <ErasedPage {...answer} />
      }))
    )
}
