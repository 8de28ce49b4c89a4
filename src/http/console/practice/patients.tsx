import { Effect } from "effect"
import { PatientPage, PatientsPage } from "../../../pages/console/practice/PatientPages.tsx"
import { UnixSeconds } from "../../../schemas/fields.ts"
import { PatientUid } from "../../../schemas/ids.ts"
import { DAY } from "../../../schemas/seconds.ts"
import type { Visitor } from "../serving/Console.tsx"
import { pageOf, segment } from "../serving/query.ts"
import { choicesOf, chosenOf, freeTimes } from "./choices.ts"

export const patients = Effect.fn("console.patients")(function* (visitor: Visitor) {
  const { api, query, texts } = visitor
  const page = pageOf(query)
  const search = query.get("search")?.trim() ?? ""
  const { data, totalPages } = yield* api["organisation.patients"].list({
    urlParams: { page, limit: 20, ...(search !== "" && { search }) }
  })
  const { shops, zone } = yield* choicesOf(visitor)
  return {
    title: texts.practice.pages.patients,
    zone,
    body: <PatientsPage patients={data} search={search} page={page} pages={totalPages} shops={shops} />
  }
})

export const patient = Effect.fn("console.patient")(function* (visitor: Visitor) {
  const { api, now, query, texts } = visitor
  const patient_uid = PatientUid.make(yield* segment("uid"))
  const found = yield* api["organisation.patients"].one({ path: { patient_uid } })
  const { data } = yield* api["management.appointments"].list({
    urlParams: { patient_uid, status: "all", from: UnixSeconds.make(0), page: 0, limit: 50 }
  })
  const { zone, doctors, types } = yield* choicesOf(visitor)
  const type = chosenOf(types, query.get("type"))
  const doctor = query.get("doctor") ?? ""
  const free = yield* freeTimes(visitor, found.shop_uid, { type, doctor, from: now, to: now + 28 * DAY }, 24)
  const { data: consents } = yield* api["organisation.consents"].list({ path: { patient_uid }, urlParams: {} })
  const { consent: asked } = yield* api["organisation.settings"].one({})
  return {
    title: texts.practice.details,
    zone,
    body: (
      <PatientPage
        patient={found}
        appointments={[...data].reverse()}
        types={types}
        doctors={doctors}
        type={type}
        doctor={doctor}
        free={free}
        consents={consents}
        asked={asked}
      />
    )
  }
})
