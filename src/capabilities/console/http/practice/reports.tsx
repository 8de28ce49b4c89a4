import { Effect, Option, Schema } from "effect"
import { PageNotFound } from "../../../../schemas/hosted/errors.ts"
import { AppointmentUid, PatientUid } from "../../../../schemas/ids.ts"
import { type InProcessApi, whereRefused } from "../../../shared/http/InProcessApi.ts"
import { patientNames } from "../../../shared/http/names.ts"
import { pageOf, queryOf } from "../../../shared/http/query.ts"
import { answerOf } from "../../../shared/http/refusals.ts"
import { nameOf, textIn } from "../../../shared/pages/rows.tsx"
import { BrandingPage } from "../../pages/practice/BrandingPage.tsx"
import { CallsPage } from "../../pages/practice/CallsPage.tsx"
import { MessagesPage } from "../../pages/practice/MessagesPage.tsx"
import { MessagePreview } from "../../schemas/MessagePreview.ts"
import type { Visitor } from "../serving/visitor.ts"
import { framed } from "./texts.tsx"

type Send = InProcessApi["send"]

const PAGE_SIZE = 50
/** Patients that a search shows. */
const FOUND_MAX = 20
const statuses = ["pending", "sent", "failed", "skipped"] as const

export const messages = Effect.fn("console.messages")(function* (visitor: Visitor) {
  const { api, consoleApi, query, texts } = visitor
  const page = pageOf(query)
  const status = statuses.find((one) => one === query.get("status")) ?? null
  const { timezone } = yield* api["organisation.settings"].one({})
  const patient = query.get("patient")
  const search = query.get("search") ?? ""
  const found =
    search === ""
      ? []
      : (yield* api["organisation.patients"]
          .list({ urlParams: { page: 0, limit: FOUND_MAX, search } })
          .pipe(whereRefused(403, { data: [] }))).data
  const { data, totalPages } = yield* consoleApi["management.reports"].messages({
    urlParams: {
      page,
      limit: PAGE_SIZE,
      ...(status !== null && { status }),
      ...(patient !== null && { patient_uid: PatientUid.make(patient) })
    }
  })
  const names = yield* patientNames(visitor, [
    ...data.map(({ patient_uid }) => patient_uid),
    patient === null ? null : PatientUid.make(patient)
  ])
  return {
    title: texts.practice.pages.messages,
    zone: timezone,
    body: (
      <MessagesPage
        messages={data}
        names={names}
        status={status}
        patient={patient}
        search={search}
        found={found.map((one) => [one.uid, nameOf(one)] as const)}
        page={page}
        pages={totalPages}
      />
    )
  }
})

/** Rows of the list of calls. */
const CALLS = 25

/** Patients whom no message about an appointment reached, with what each has to be told. */
export const calls = Effect.fn("console.calls")(function* (visitor: Visitor) {
  const { api, consoleApi, query, texts } = visitor
  const page = pageOf(query)
  const { timezone } = yield* api["organisation.settings"].one({})
  const { data, totalPages } = yield* consoleApi["management.reports"].messages({
    urlParams: { page, limit: CALLS, unreached: "true" }
  })
  const read = (uid: string) =>
    Effect.option(api["management.appointments"].one({ path: { appointment_uid: AppointmentUid.make(uid) } }))
  const found = yield* Effect.forEach(data, (message) =>
    Effect.gen(function* () {
      const appointment = Option.getOrNull(yield* read(message.appointment_uid ?? ""))
      if (appointment === null) return []
      const { previous_meeting_uid, patient_uid } = appointment
      const previous =
        message.kind === "rebooking" && previous_meeting_uid !== null
          ? yield* read(previous_meeting_uid)
          : Option.none()
      const patient = yield* Effect.option(api["organisation.patients"].one({ path: { patient_uid } }))
      const phone = Option.getOrNull(Option.map(patient, ({ profile }) => textIn(profile, "phone")))
      return [{ message, appointment, previous: Option.getOrNull(previous), phone: phone || null }]
    })
  )
  return {
    title: texts.practice.calls.title,
    zone: timezone,
    body: <CallsPage calls={found.flat()} page={page} pages={totalPages} />
  }
})

/** Previews a mail. */
export const mailPreview = Effect.fnUntraced(function* (send: Send) {
  const query = yield* queryOf
  const asked = new URLSearchParams({
    appointment_type_uid: query.get("type") ?? "",
    recipient_role: query.get("role") ?? "patient",
    language: query.get("language") ?? "de"
  })
  const response = yield* send("GET", `/v1/management/messages/preview?${asked}`, null)
  if (response.status >= 300) return yield* new PageNotFound()
  const { html } = yield* Effect.flatMap(answerOf(response), Schema.decodeUnknown(MessagePreview))
  return framed(html, "none")
})

export const branding = (meetingsUrl: string) =>
  Effect.fn("console.branding")(function* ({ api, texts }: Visitor) {
    const organisation = yield* api["organisation.settings"].one({})
    const { data: shops } = yield* api["organisation.shops"].list({ urlParams: { page: 0, limit: 50 } })
    return {
      title: texts.practice.pages.branding,
      live: false,
      body: <BrandingPage organisation={organisation} shops={shops} meetingsUrl={meetingsUrl} />
    }
  })
