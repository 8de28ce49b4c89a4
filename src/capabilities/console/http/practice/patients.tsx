import { Effect, Either, FiberRef, Option, Schema } from "effect"
import { seeOther } from "../../../../http/hosted/serving/pageHandler.ts"
import { UnixSeconds } from "../../../../schemas/fields.ts"
import { PatientUid } from "../../../../schemas/ids.ts"
import { SearchText } from "../../../../schemas/SearchText.ts"
import { DAY } from "../../../../schemas/seconds.ts"
import { choicesOf } from "../../../shared/http/choices.ts"
import { ApiRefused, type InProcessApi } from "../../../shared/http/InProcessApi.ts"
import { pageOf, segment } from "../../../shared/http/query.ts"
import { answerOf, fieldIn, problemIn } from "../../../shared/http/refusals.ts"
import { NewPatient } from "../../../shared/schemas/PatientBodies.ts"
import { LIKELY_DOUBLE, MergedPage, PatientPage, PatientsPage } from "../../pages/practice/PatientPages.tsx"
import { FormRefused, outcomeOfForm } from "../serving/Console.tsx"
import { bodyOf, type Fields, valueIn } from "../serving/formFields.ts"
import type { Visitor } from "../serving/visitor.ts"
import { chosenTime, visitsAt } from "./chosenTime.ts"
import { timesOfTypes, wishedTimes, wishesIn } from "./freeTimes.ts"

/** Free times offered on a patient's page, at once. */
const TIMES_OFFERED = 36

/** Likely doubles that are shown. */
const DOUBLES_MAX = 20

/** A date of birth or a mail address: who alone has it is the one that was meant. A name can also be a new patient's. */
const isDistinct = /@|\d{1,2}[./]\s?\d{1,2}[./]\s?\d{2}|\d{4}-\d\d-\d\d|(?<!\d)(?:\d{6}|\d{8})(?!\d)/

export const patients = Effect.fn("console.patients")(function* (visitor: Visitor) {
  const { api, query, texts } = visitor
  const page = pageOf(query)
  const search = query.get("search")?.trim() ?? ""
  const { data, totalPages } = yield* api["organisation.patients"].list({
    urlParams: { page, limit: 20, ...(search !== "" && { search }) }
  })
  const { shops, zone, doctors, types } = yield* choicesOf(visitor)
  const chosen = yield* chosenTime(visitor, { zone, doctors, types })
  const visits =
    chosen === null
      ? new Map()
      : yield* visitsAt(
          visitor,
          data.map(({ uid }) => uid),
          chosen
        )
  const [only] = data
  // a refused form is shown with those that it may be
  const isShown = chosen === null && page === 0 && (yield* FiberRef.get(outcomeOfForm)) === null
  const to =
    isShown && only !== undefined && data.length === 1 && isDistinct.test(search)
      ? { to: `${PATIENTS}/${encodeURIComponent(only.uid)}` }
      : {}
  return {
    ...to,
    title: texts.practice.pages.patients,
    zone,
    body: (
      <PatientsPage
        patients={data}
        search={search}
        page={page}
        pages={totalPages}
        shops={shops}
        chosen={chosen}
        visits={visits}
      />
    )
  }
})

const Merged = Schema.Struct({ merged_into: PatientUid })

/** The record into which a record was merged that the interface does not find. */
const mergedInto = (error: unknown) =>
  error instanceof ApiRefused && error.response !== undefined
    ? Effect.map(answerOf(error.response), Schema.decodeUnknownOption(Merged))
    : Effect.succeedNone

export const patient = Effect.fn("console.patient")(function* (visitor: Visitor) {
  const { api, now, query, texts } = visitor
  const patient_uid = PatientUid.make(yield* segment("uid"))
  const read = yield* Effect.either(api["organisation.patients"].one({ path: { patient_uid } }))
  if (Either.isLeft(read)) {
    const merged = yield* mergedInto(read.left)
    if (Option.isNone(merged)) return yield* read.left
    return {
      title: texts.practice.mergedAway.title,
      status: 404,
      body: <MergedPage into={merged.value.merged_into} />
    }
  }
  const found = read.right
  const { data } = yield* api["management.appointments"].list({
    urlParams: { patient_uid, status: "all", from: UnixSeconds.make(0), page: 0, limit: 50 }
  })
  const { data: ahead } = yield* api["management.appointments"].list({
    urlParams: { patient_uid, status: "confirmed", from: UnixSeconds.make(now - DAY), page: 0, limit: 200 }
  })
  const { zone, doctors, types, formatsOf } = yield* choicesOf(visitor)
  const doctor = query.get("doctor") ?? ""
  const wishes = wishesIn(query, now, zone)
  const { type, free } = yield* timesOfTypes(types, query.get("type"), (one) =>
    wishedTimes(visitor, found.shop_uid, { type: one, doctor, zone, wishes }, TIMES_OFFERED)
  )
  const { data: consents } = yield* api["organisation.consents"].list({ path: { patient_uid }, urlParams: {} })
  const { consent: asked } = yield* api["organisation.settings"].one({})
  return {
    title: texts.practice.details,
    zone,
    body: (
      <PatientPage
        patient={found}
        appointments={[...data].reverse()}
        ahead={ahead}
        types={types}
        doctors={doctors}
        type={type}
        offered={formatsOf.get(type) ?? ["DIGITAL"]}
        doctor={doctor}
        free={free}
        wishes={wishes}
        chosen={yield* chosenTime(visitor, { zone, doctors, types })}
        consents={consents}
        asked={asked}
      />
    )
  }
})

const isSearchable = Schema.is(SearchText(""))
const PATIENTS = "/console/practice/patients"
const CREATE = "POST /v1/management/patients"

/**
 * Makes a patient, unless the name, telephone number or mail address is that of a known one: then the page with these people is
 * shown, and the form asks whether it is another person. Rule 17.6.5.
 */
export const createPatient = Effect.fnUntraced(function* ({ client, send }: InProcessApi, fields: Fields) {
  const api = yield* client
  const value = valueIn(fields)
  const kept = new URL(value("@back"), "http://localhost").searchParams
  const refused = (query: URLSearchParams, status: number, answer: unknown) =>
    new FormRefused({ address: `${PATIENTS}?${query}`, status, problem: problemIn(CREATE, answer), fields })
  if (!fields.has("@sure")) {
    const name = [value("profile.first_name"), value("profile.last_name")].filter(Boolean).join(" ")
    for (const search of [value("profile.email"), value("profile.phone"), name]) {
      // what cannot be searched for is refused as a part of the record
      if (search === "" || !isSearchable(search)) continue
      const { data } = yield* api["organisation.patients"].list({ urlParams: { page: 0, limit: DOUBLES_MAX, search } })
      if (data.length === 0) continue
      const query = new URLSearchParams([...kept, ["search", search]])
      return yield* refused(query, 409, { code: LIKELY_DOUBLE, error: [] })
    }
  }
  const response = yield* send("POST", "/v1/management/patients", bodyOf(NewPatient, fields))
  const answer = yield* answerOf(response)
  if (response.status >= 300) return yield* refused(kept, response.status, answer)
  kept.set("done", "1")
  return seeOther(`${PATIENTS}/${encodeURIComponent(fieldIn(answer, "uid") ?? "")}?${kept}`)
})
