/** What an appointment type asks before booking (`entry`) and before the visit (`intake`). Rules 22.3 and 22.4. */
import { Schema } from "effect"
import { body, Count, described, integer, listOf, oneOf, UnixSeconds, withDefault } from "../../../schemas/fields.ts"
import { AppointmentTypeUid, uid } from "../../../schemas/ids.ts"
import { Answers, AskedItems, Condition, FormText, FormUid, SentAnswers } from "./Form.ts"

/** Answers that the service knows: whether the patient has had a completed appointment here, the age in years, the postal code. */
export const BUILT_IN = { "@known_patient": "boolean", "@age": "integer", "@zip": "string" } as const

export const Outcome = oneOf("continue", "refuse", "type").annotations({
  description: "`type`: the session is for another appointment type now"
})

const EntryRule = Schema.Struct({
  when: listOf(Condition, {
    min: 1,
    max: 20,
    description: "All must hold; beside items of the form `@known_patient`, `@age` and `@zip`"
  }),
  // biome-ignore lint/suspicious/noThenProperty: the interface's name of the field
  then: Outcome,
  appointment_type_uid: withDefault(Schema.NullOr(AppointmentTypeUid), null),
  text: withDefault(Schema.NullOr(FormText), null)
})
export type EntryRule = typeof EntryRule.Type
export const Entry = Schema.NullOr(
  Schema.Struct({
    form_uid: withDefault(Schema.NullOr(FormUid), null),
    rules: listOf(EntryRule, { max: 50, description: "The first whose conditions all hold counts" }),
    otherwise: withDefault(described(oneOf("continue", "refuse"), "Where no rule counts"), "continue")
  })
).annotations({
  examples: [{ form_uid: null, rules: [], otherwise: "continue" }],
  description: "Questions before times are shown; null: none. Keys, staff, moves, offers and recalls are exempt"
})
export type Entry = typeof Entry.Type

const one = Schema.Struct({
  form_uid: FormUid,
  due_minutes_before: withDefault(integer(0, 525_600, "Minutes before the start from which reminders name it"), 0),
  blocks: withDefault(described(oneOf("nothing", "join"), "What waits until it is complete"), "nothing")
})
export const Intake = listOf(one, {
  max: 3,
  description:
    "Forms to be answered before the visit; `blocks: join` keeps the patient out of the call until it is complete",
  example: []
})
export type Intake = typeof Intake.Type

export const PutAnswers = body({ answers: withDefault(SentAnswers, {}) })
export const PutIntake = body({
  answers: withDefault(SentAnswers, {}),
  complete: withDefault(described(Schema.Boolean, "False stores a draft"), true)
})

const said = described(
  Schema.NullOr(Schema.String.annotations({ examples: ["Bitte rufen Sie uns an."] })),
  "What the rule says to the patient"
)
export const EntryAnswer = Schema.Struct({
  outcome: Outcome,
  appointment_type_uid: AppointmentTypeUid,
  text: said
}).annotations({ identifier: "EntryOutcome" })
export type EntryAnswer = typeof EntryAnswer.Type

/** Largest file, bytes. */
export const FILE_MAX = 10 * 1024 * 1024

export const ResponseUid = uid("FormResponseUid", "frs")
export const FileUid = uid("FormFileUid", "fil")
export type FileUid = typeof FileUid.Type
export const FormFile = Schema.Struct({
  uid: FileUid,
  name: Schema.String.annotations({ description: "As it was sent, on one line", examples: ["befund.pdf"] }),
  size: Count.annotations({ description: "Bytes of what is stored", examples: [48_213] }),
  sha256: Schema.String.annotations({
    description: "Of what is stored, hexadecimal",
    examples: ["9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"]
  }),
  status: described(Schema.Literal("scanning", "clean", "rejected"), "Nobody reads it before it is `clean`")
}).annotations({ identifier: "FormFile" })
export type FormFile = typeof FormFile.Type

const form_version = Count.annotations({ examples: [1] })

/** A form with its answers, for the patient. */
export const AskedForm = Schema.Struct({
  form_uid: FormUid,
  form_version,
  title: FormText,
  items: AskedItems,
  answers: Answers,
  complete: described(Schema.Boolean, "Whether it is more than a draft"),
  files: described(Schema.Array(FormFile), "What was added to it")
}).annotations({ identifier: "AskedForm" })
export type AskedForm = typeof AskedForm.Type

/** What is asked before times are shown, and what was answered. */
export const EntryState = Schema.Struct({
  ...AskedForm.pick("items", "answers", "files").fields,
  form_uid: Schema.NullOr(FormUid),
  form_version: Schema.NullOr(form_version),
  title: Schema.NullOr(FormText),
  answered: described(Schema.Boolean, "Whether an outcome stands"),
  outcome: Schema.NullOr(Outcome),
  appointment_type_uid: AppointmentTypeUid,
  text: said
}).annotations({ identifier: "EntryState" })

export const ReadFile = Schema.Struct({
  ...FormFile.fields,
  media_type: described(oneOf("application/pdf", "image/jpeg", "image/png"), "What it is by its content"),
  url: described(Schema.NullOr(Schema.String), "An attachment, for five minutes; null unless it is `clean`"),
  expires_at: Schema.NullOr(UnixSeconds)
}).annotations({ identifier: "ReadableFormFile" })
export type ReadFile = typeof ReadFile.Type

/** What a patient has answered, for staff. */
export const ReadForm = Schema.Struct({
  door: described(Schema.Literal("entry", "intake", "request"), "Where it was asked"),
  ...AskedForm.fields,
  form_uid: Schema.NullOr(FormUid),
  title: Schema.NullOr(FormText),
  files: described(Schema.Array(ReadFile), "What was added to it"),
  updated_at: Schema.NullOr(UnixSeconds),
  blocks: described(Schema.Boolean, "Whether it still keeps the patient out of the call"),
  is_new: described(Schema.Boolean, "Whether the doctor who reads it has not looked since; of others false")
}).annotations({ identifier: "ReadForm" })
export type ReadForm = typeof ReadForm.Type

export const PatientForm = Schema.Struct({
  ...ReadForm.pick("door", "form_uid", "form_version", "answers", "complete", "files").fields,
  created_at: UnixSeconds,
  updated_at: UnixSeconds
}).annotations({ identifier: "FormResponse" })
