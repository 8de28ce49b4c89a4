/** The console's pages of forms and requests, and what they add to others. */
import { Effect } from "effect"
import { AppointmentUid } from "../../../schemas/ids.ts"
import { fill } from "../../../texts/fill.ts"
import { choicesOf } from "../../shared/http/choices.ts"
import { whereRefused } from "../../shared/http/InProcessApi.ts"
import { patientNames } from "../../shared/http/names.ts"
import type { AddedPage, Visitor } from "../../shared/http/pages.ts"
import { pageOf, segment } from "../../shared/http/query.ts"
import { Card, Press, useDesk } from "../../shared/pages/Desk.tsx"
import { FormsApi } from "../http/FormsApi.ts"
import { FormUid } from "../schemas/Form.ts"
import { RequestUid } from "../schemas/Request.ts"
import type { Entry, Intake, ReadForm } from "../schemas/TypeFields.ts"
import { textIn } from "../services/engine.ts"
import { deskTextsOf } from "../texts/desk.ts"
import { Answers } from "./Answers.tsx"
import { useOwnTexts } from "./Builder.tsx"
import { FormPage, FormsPage } from "./FormPages.tsx"
import { OwnRequestCard, OwnRequests, RequestPage, RequestsPage, RequestTypesPage } from "./RequestPages.tsx"
import { TypePart } from "./TypePart.tsx"

const TYPES = "/console/practice/types"
/** Requests on a page. */
const PAGE_SIZE = 50
const ownersOnly = ["reception", "assistant", "doctor_assistant", "billing", "read_only"] as const
/** Without the day's work. */
const notAtDesk = ["assistant", "billing", "read_only"] as const

const formsOf = ({ clientOf }: Visitor) =>
  Effect.flatMap(clientOf(FormsApi), (api) =>
    Effect.map(api["management.forms"].list({ urlParams: {} }), ({ data }) => data)
  )

const forms = Effect.fn("console.forms")(function* (visitor: Visitor) {
  return { title: deskTextsOf(visitor.language).forms, body: <FormsPage forms={yield* formsOf(visitor)} /> }
})

const form = Effect.fn("console.form")(function* ({ clientOf, language }: Visitor) {
  const uid = yield* segment("uid")
  const api = yield* clientOf(FormsApi)
  const found = uid === "new" ? null : yield* api["management.forms"].get({ path: { form_uid: FormUid.make(uid) } })
  return { title: deskTextsOf(language).form, live: false, body: <FormPage form={found} /> }
})

const requestTypes = Effect.fn("console.requestTypes")(function* (visitor: Visitor) {
  const api = yield* visitor.clientOf(FormsApi)
  const { data } = yield* api["management.request_types"].list({ urlParams: {} })
  return {
    title: deskTextsOf(visitor.language).requestTypes,
    body: <RequestTypesPage types={data} forms={yield* formsOf(visitor)} />
  }
})

const inboxes = ["open", "mine", "overdue"] as const

const requests = Effect.fn("console.requests")(function* (visitor: Visitor) {
  const { query, staff, language } = visitor
  const api = yield* visitor.clientOf(FormsApi)
  const page = pageOf(query)
  const asked = query.get("inbox") ?? "open"
  const inbox = inboxes.find((one) => one === asked) ?? null
  const { data, totalPages } = yield* api["management.requests"].list({
    urlParams: { page, limit: PAGE_SIZE, ...(inbox !== null && { inbox }) }
  })
  const { zone } = yield* choicesOf(visitor)
  return {
    title: deskTextsOf(language).requests,
    zone,
    body: (
      <RequestsPage
        requests={data}
        inbox={inbox}
        counts={yield* api["management.requests"].count({})}
        page={page}
        pages={totalPages}
        names={
          yield* patientNames(
            visitor,
            data.map(({ patient_uid }) => patient_uid)
          )
        }
        me={staff.actor.uid}
      />
    )
  }
})

const request = Effect.fn("console.request")(function* (visitor: Visitor) {
  const api = yield* visitor.clientOf(FormsApi)
  const one = yield* api["management.requests"].get({ path: { request_uid: RequestUid.make(yield* segment("uid")) } })
  const names = yield* patientNames(visitor, [one.patient_uid])
  const { zone } = yield* choicesOf(visitor)
  return {
    title: deskTextsOf(visitor.language).requests,
    zone,
    live: false,
    body: <RequestPage one={one} name={names.get(one.patient_uid) ?? one.patient_uid} me={visitor.staff.actor.uid} />
  }
})

export const formPages: ReadonlyArray<AddedPage> = [
  {
    path: "requests",
    entry: {
      text: (language) => deskTextsOf(language).requests,
      count: ({ clientOf }) =>
        Effect.flatMap(clientOf(FormsApi), (api) =>
          Effect.map(api["management.requests"].count({}), ({ open }) => open)
        )
    },
    hiddenFrom: notAtDesk,
    show: requests
  },
  { path: "requests/:uid", hiddenFrom: notAtDesk, show: request },
  {
    path: "forms",
    entry: { text: (language) => deskTextsOf(language).forms, under: TYPES },
    hiddenFrom: ownersOnly,
    show: forms
  },
  { path: "forms/:uid", hiddenFrom: ownersOnly, show: form },
  {
    path: "request-types",
    entry: { text: (language) => deskTextsOf(language).requestTypes, under: TYPES },
    hiddenFrom: ownersOnly,
    show: requestTypes
  }
]

/** What the chosen type asks; nothing for those who may not read the forms. */
export const typePart = Effect.fn("console.typeForms")(function* (visitor: Visitor) {
  const { data: types } = yield* visitor.api["management.appointment_types"].list({ urlParams: {} })
  const chosen = types.find(({ uid }) => uid === visitor.query.get("type")) ?? types[0]
  const found = yield* whereRefused(403, null)(formsOf(visitor))
  if (chosen === undefined || found === null) return null
  const { entry = null, intake = [] } = chosen as { entry?: Entry; intake?: Intake } // fields that this capability adds
  const others = types.flatMap(({ uid, name }) => (uid === chosen.uid ? [] : [[uid, name] as const]))
  return <TypePart uid={chosen.uid} entry={entry} intake={intake} forms={found} types={others} />
})

interface IntakeProps {
  readonly data: ReadonlyArray<ReadForm>
  /** The doctor's operation that lets the patient in; null: the reader is no doctor. */
  readonly letIn: string | null
}

const IntakeCard = ({ data, letIn }: IntakeProps) => {
  const { answers: texts } = useOwnTexts()
  const { language } = useDesk()
  const isBlocked = letIn !== null && data.some(({ blocks }) => blocks)
  return (
    <Card id="intake-answers" title={texts.title}>
      {data.length === 0 ? <p class="help">{texts.none}</p> : null}
      {data.map((one, index) =>
        one.updated_at === null ? (
          <p key={`${index}`} class="help">
            {fill(texts.missing, { title: one.title === null ? "" : textIn(one.title, language, "de") })}
          </p>
        ) : (
          <Answers key={`${index}`} form={one} />
        )
      )}
      {isBlocked ? <p class="notice warn">{texts.blocked}</p> : null}
      <div class="actions">
        {isBlocked ? <Press operation={letIn} text={texts.letIn} /> : null}
        <a class="secondary" href="#intake-answers" data-print="card">
          {texts.print}
        </a>
      </div>
    </Card>
  )
}

/** The answers of an appointment: read on wish, since each reading is in the audit log. */
export const appointmentPart = Effect.fn("console.appointmentAnswers")(function* (visitor: Visitor) {
  const { answers: texts } = deskTextsOf(visitor.language)
  const uid = yield* segment("uid")
  const mayRead = !notAtDesk.some((role) => role === visitor.staff.practice_role)
  if (!mayRead) return null
  if (visitor.query.get("answers") === null)
    return (
      <p class="actions">
        <a
          class="secondary"
          href={`/console/practice/appointments/${encodeURIComponent(uid)}?answers=1#intake-answers`}
        >
          {texts.show}
        </a>
      </p>
    )
  const api = yield* visitor.clientOf(FormsApi)
  const path = { appointment_uid: AppointmentUid.make(uid) }
  return <IntakeCard {...(yield* api["management.intake"].read_answers({ path }))} letIn={null} />
})

/** A doctor's requests, on the page of the day. */
export const ownRequestsPart = Effect.fn("console.ownRequests")(function* ({ clientOf }: Visitor) {
  const api = yield* clientOf(FormsApi)
  const { data } = yield* api["doctor.requests"].list({})
  return <OwnRequests requests={data} />
})

/** On a doctor's card of a patient: the request that the query names, and the answers of the appointment. */
export const cardPart = Effect.fn("console.ownAnswers")(function* ({ api: core, clientOf, query }: Visitor) {
  const api = yield* clientOf(FormsApi)
  const asked = query.get("request")
  const one =
    asked === null ? null : yield* api["doctor.requests"].get({ path: { request_uid: RequestUid.make(asked) } })
  const { data: articles } =
    one?.kind === "prescription" ? yield* core.doctor.articles({ urlParams: {} }) : { data: [] }
  const uid = query.get("appointment")
  const path = { appointment_uid: AppointmentUid.make(uid ?? "") }
  const answers = uid === null ? null : yield* api["doctor.intake"].read_answers({ path })
  const letIn = `POST /v1/doctor/appointments/${uid}/let-in`
  return (
    <>
      {one === null ? null : <OwnRequestCard one={one} articles={articles} />}
      {answers === null || answers.data.length === 0 ? null : <IntakeCard {...answers} letIn={letIn} />}
    </>
  )
})
