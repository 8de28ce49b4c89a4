/** At the end of the page of a patient: another record of the same person, which is merged into this one. Rule 17.6.9. */
import { Effect } from "effect"
import type { Patient } from "../../../schemas/access/Patient.ts"
import { PatientUid } from "../../../schemas/ids.ts"
import { whereRefused } from "../../shared/http/InProcessApi.ts"
import type { Visitor } from "../../shared/http/pages.ts"
import { segment } from "../../shared/http/query.ts"
import { PatientRightsApi } from "../http/PatientRightsApi.ts"
import { Merging } from "./Merging.tsx"

/** Likely doubles that are shown. */
const DOUBLES_MAX = 20

/** Records that are probably of the same person, and what merging the chosen one would do. */
const doubleIn = Effect.fnUntraced(function* ({ api, clientOf, query }: Visitor, into: Patient) {
  const search = query.get("double")?.trim() ?? ""
  const { data } =
    search === ""
      ? { data: [] }
      : yield* api["organisation.patients"].list({ urlParams: { page: 0, limit: DOUBLES_MAX, search } })
  const found = data.filter(({ uid }) => uid !== into.uid)
  const chosen = query.get("merge")
  if (chosen === null || chosen === "" || chosen === into.uid) return { search, found, preview: null }
  const path = { patient_uid: PatientUid.make(chosen) }
  const other = yield* Effect.option(api["organisation.patients"].one({ path }))
  if (other._tag === "None") return { search, found, preview: null }
  const merged = yield* Effect.option(
    (yield* clientOf(PatientRightsApi))["organisation.patient_rights"].merge({
      path,
      payload: { into: into.uid, dry_run: true }
    })
  )
  const preview = { other: other.value, merged: merged._tag === "Some" ? merged.value : ("refused" as const) }
  return { search, found, preview }
})

export const mergingPart = Effect.fn("console.merging")(function* (visitor: Visitor) {
  const patient_uid = PatientUid.make(yield* segment("uid"))
  const patient = yield* whereRefused(404, null)(visitor.api["organisation.patients"].one({ path: { patient_uid } }))
  return patient === null ? null : <Merging patient={patient} double={yield* doubleIn(visitor, patient)} />
})
