/** The demo practice's forms, types of requests, requests and answers before visits. */
import { Effect, Schema } from "effect"
import { AppointmentTypeUid, AppointmentUid, type OrganisationUid, PatientUid } from "../../../schemas/ids.ts"
import { HOUR } from "../../../schemas/seconds.ts"
import { rowsOf } from "../../../services/database/rows.ts"
import type { Sql } from "../../../services/database/Sql.ts"
import type { AppointmentTypes } from "../../../services/scheduling/practice/AppointmentTypes.ts"
import { FormUid, NewForm } from "../schemas/Form.ts"
import { NewRequestType, RequestTypeUid } from "../schemas/Request.ts"
import { ask, ifYes, readyForms, required } from "../texts/ready.ts"
import type { Forms } from "./Forms.ts"
import type { Requests } from "./Requests.ts"
import type { Responses } from "./Responses.ts"

const formOf = Schema.decodeUnknown(NewForm)
const decodeType = Schema.decodeUnknown(NewRequestType)

const names = {
  rezept: { de: "Wiederholungsrezept", en: "Repeat prescription" },
  ueberweisung: { de: "Überweisung", en: "Referral" },
  rueckruf: { de: "Rückruf", en: "Call back" }
}

const asked = {
  frm_rezept: {
    title: names.rezept,
    items: [
      ask("medicine", "string", ["Welches Medikament?", "Which medicine?"], required),
      ask("changed", "boolean", ["Hat sich etwas geändert?", "Has anything changed?"]),
      ask("what", "text", ["Was?", "What?"], ifYes("changed"))
    ]
  },
  frm_anliegen: {
    title: { de: "Ihr Anliegen", en: "Your concern" },
    items: [ask("what", "text", ["Worum geht es?", "What is it about?"], required)]
  }
}

const typeOf = (name: keyof typeof names, kind: string, form_uid: keyof typeof asked, hours: number, more = {}) =>
  decodeType({ name: names[name], kind, form_uid, answer_within_minutes: hours * 60, ...more })
const types = {
  rqt_rezept: typeOf("rezept", "prescription", "frm_rezept", 24, { recipient: "doctor" }),
  rqt_ueberweisung: typeOf("ueberweisung", "referral", "frm_anliegen", 48),
  rqt_rueckruf: typeOf("rueckruf", "callback", "frm_anliegen", 4)
}

/** Who has asked what, and how many hours ago. */
const sent = [
  [3, "rqt_rezept", 20, { medicine: "Ramipril 5 mg, 100 Stück", changed: false }],
  [17, "rqt_rezept", 2, { medicine: "L-Thyroxin 75", changed: true, what: "Der letzte TSH-Wert war 4,1." }],
  [26, "rqt_ueberweisung", 5, { what: "Ich brauche eine Überweisung zur Augenärztin, wie besprochen." }],
  [8, "rqt_rueckruf", 6, { what: "Bitte rufen Sie mich wegen der Laborwerte an, am besten nach 16 Uhr." }]
] as const

const SKIN_TYPE = AppointmentTypeUid.make("aty_haut")
const SKIN_FORM = FormUid.make("frm_haut")
const aboutSkin = { place: "Linke Schulter", since: "weeks", symptoms: ["itching", "growing"], treated: false }

const upcoming = rowsOf(Schema.Struct({ slot_group: AppointmentUid, patient_uid: PatientUid }))

interface Services {
  readonly sql: Sql
  readonly forms: Forms
  readonly responses: Responses
  readonly requests: Requests
  readonly types: AppointmentTypes
}

const known = { link_id: "@known_patient", operator: "=" as const, answer: false }
/** What a rule leads to: its field is called `then`. */
const OUTCOME: string = "then"
const entries = {
  // only known patients
  aty_nach: {
    when: [known],
    [OUTCOME]: "refuse",
    text: {
      de: "Ein Nachgespräch ist für Patientinnen und Patienten, die schon bei uns waren. Bitte buchen Sie ein Erstgespräch oder rufen Sie uns an.",
      en: "A follow-up is for patients who have been here before. Please book a first visit, or call us."
    }
  },
  // new ones to a longer type
  aty_therapie: { when: [known], [OUTCOME]: "type", appointment_type_uid: "aty_therapie_erst" }
}

export const demoForms = Effect.fnUntraced(function* (
  { sql, forms, responses, requests, types: appointmentTypes }: Services,
  owner: OrganisationUid,
  now: number
) {
  const { anamnesis, skin, follow_up } = readyForms
  const all = { frm_anamnese: anamnesis, [SKIN_FORM]: skin, frm_verlauf: follow_up, ...asked }
  for (const [uid, form] of Object.entries(all)) yield* forms.provision(owner, FormUid.make(uid), yield* formOf(form))
  for (const [uid, type] of Object.entries(types))
    yield* requests.types.provision(owner, RequestTypeUid.make(uid), yield* type)
  for (const [patient, type, hours, answers] of sent) {
    const of = {
      door: "request" as const,
      subject_uid: "",
      asked_by: "",
      patient_uid: PatientUid.make(`pat_garten_${patient}`)
    }
    const request = { request_type_uid: RequestTypeUid.make(type), answers }
    yield* requests.send(owner, of, request, now - hours * HOUR)
  }
  yield* appointmentTypes.update(owner, SKIN_TYPE, {
    intake: [{ form_uid: SKIN_FORM, due_minutes_before: 3 * 24 * 60, blocks: "nothing" }]
  } as object)
  for (const [type, rule] of Object.entries(entries))
    yield* appointmentTypes.update(owner, AppointmentTypeUid.make(type), {
      entry: { form_uid: null, rules: [{ appointment_type_uid: null, text: null, ...rule }], otherwise: "continue" }
    } as object)
  const next =
    yield* upcoming.all(sql`SELECT slot_group, patient_uid FROM appointments WHERE organisation_uid = ${owner}
    AND appointment_type_uid = ${SKIN_TYPE} AND status = 'confirmed' AND start_date > to_timestamp(${now}) ORDER BY start_date, uid LIMIT 3`)
  const form = yield* forms.get(owner, SKIN_FORM)
  for (const { slot_group, patient_uid } of next)
    yield* responses.save(owner, {
      ...{ door: "intake", subject_uid: slot_group, asked_by: SKIN_FORM, appointment_uid: slot_group, patient_uid },
      ...{ form, answers: aboutSkin, complete: true }
    })
})
