/** An absence as one act: its time is closed, and what is booked in it is moved, cancelled or kept. Rule 3.14. */
import { Schema } from "effect"
import { DomainError, NotFoundError } from "../../../schemas/DomainError.ts"
import {
  body,
  Count,
  changes,
  described,
  EXAMPLE_TIME,
  integer,
  listOf,
  OptionalText,
  oneOf,
  optional,
  queryTime,
  UnixSeconds,
  withDefault,
  withExample
} from "../../../schemas/fields.ts"
import { AppointmentUid, DoctorUid, uid } from "../../../schemas/ids.ts"
import { updatedAfter } from "../../../schemas/paging.ts"
import { after, withRules } from "../../../schemas/rules.ts"
import { StaffAppointment } from "../../../schemas/scheduling/appointmentAnswers.ts"
import { DAY } from "../../../schemas/seconds.ts"
import { anySpecialty, aYearAtMost } from "../../shared/schemas/BulkMove.ts"
import { Period } from "../../shared/schemas/Calendar.ts"

export class AbsenceNotFound extends NotFoundError("AbsenceNotFound", "Absence") {}

/** Its appointments are not as many as the caller expected. */
export class NumberChanged extends DomainError(
  "NumberChanged",
  "The number of appointments has changed since it was counted: count again"
) {}

export const AbsenceUid = uid("AbsenceUid", "abs")
export type AbsenceUid = typeof AbsenceUid.Type

export const AbsenceKind = described(oneOf("vacation", "illness", "training", "other"), "Why; patients do not see it")
export type AbsenceKind = typeof AbsenceKind.Type

/** What becomes of an appointment. */
export const AbsenceStep = oneOf("keep", "move", "offer", "cancel").annotations({
  description:
    "`move`: to its first free time, as bulk moves do; `offer`: the patient is asked to choose another time, by mail, else by SMS; " +
    "`cancel`; `keep`: it stays as it is"
})
export type AbsenceStep = typeof AbsenceStep.Type

const times = {
  from: described(UnixSeconds, "Start, Unix seconds"),
  to: described(UnixSeconds, "End, Unix seconds; at most 366 days after from")
}
/** An absence in the practice's calendar. */
export const AbsencePeriod = Schema.Struct({ uid: AbsenceUid, kind: AbsenceKind, ...Period.fields })
declare module "../../shared/schemas/Calendar.ts" {
  interface AddedCalendarFields {
    readonly absences?: ReadonlyArray<typeof AbsencePeriod.Type>
  }
}

const doctor_uid = described(Schema.NullOr(DoctorUid), "The absent doctor; null: all doctors")

export const Absence = Schema.Struct({
  uid: AbsenceUid,
  doctor_uid,
  ...times,
  kind: AbsenceKind,
  appointments: Schema.Struct({
    waiting: described(Count, "Still to be settled"),
    moved: described(Count, "Moved"),
    offered: described(Count, "Patients who were asked to choose another time"),
    cancelled: described(Count, "Cancelled"),
    left: described(Count, "Could not be settled: they stay as they are")
  }).annotations({ description: "How many of its appointments have come how far" }),
  created_at: UnixSeconds,
  updated_at: UnixSeconds
}).annotations({ identifier: "Absence" })
export type Absence = typeof Absence.Type

const expected = (description: string) =>
  optional(integer(0, 1_000_000, "Appointments that were counted before")).annotations({ description })

export const NewAbsence = withRules(
  withExample(
    body({
      doctor_uid: withDefault(doctor_uid, null),
      ...times,
      kind: withDefault(AbsenceKind, "other"),
      message: withDefault(described(OptionalText, "The reason that patients of cancelled appointments get"), null),
      appointments: withDefault(AbsenceStep, "keep"),
      any_specialty: anySpecialty,
      choices: withDefault(
        listOf(
          body({
            appointment_uid: AppointmentUid,
            step: AbsenceStep
          }),
          { max: 1_000, description: "What becomes of single appointments, instead of `appointments`", example: [] }
        ),
        []
      ),
      expected: expected(
        "How many appointments the caller expects in the time: with another number nothing is changed (409)"
      )
    }),
    { doctor_uid: "doc_demo_1", from: EXAMPLE_TIME + 60 * DAY, to: EXAMPLE_TIME + 61 * DAY, kind: "vacation" }
  ),
  [after("from", "to"), aYearAtMost]
)
export type NewAbsence = typeof NewAbsence.Type

/** Asking again those who have not answered. */
export const AskAgain = withExample(
  body({
    expected: expected("How many the caller expects to be asked: with another number nobody is (409)")
  }),
  { expected: 0 }
)
export type AskAgain = typeof AskAgain.Type

export const AbsenceChanges = withRules(withExample(changes({ ...times, kind: AbsenceKind }), { kind: "vacation" }), [
  after("from", "to"),
  aYearAtMost
])
export type AbsenceChanges = typeof AbsenceChanges.Type

export const AbsenceQuery = body({
  from: Schema.optionalWith(queryTime("Ending after, Unix seconds; now, if omitted"), { exact: true }),
  to: Schema.optionalWith(queryTime("Starting before, Unix seconds"), { exact: true }),
  doctor_uid: Schema.optionalWith(DoctorUid, { exact: true }).annotations({
    description: "Those of this doctor, and those of all doctors"
  }),
  ...updatedAfter
})
export type AbsenceQuery = typeof AbsenceQuery.Type

/** An appointment that an absence is to settle. */
export const SettledAppointment = Schema.Struct({
  appointment: StaffAppointment,
  step: described(Schema.Literal("move", "offer", "cancel"), "What was to become of it"),
  status: Schema.Literal("waiting", "moved", "offered", "cancelled", "left").annotations({
    description:
      "What became of it; `offered`: the patient was asked, and the appointment's own `status` says whether there is an answer"
  }),
  code: Schema.NullOr(Schema.String).annotations({
    description: "The error code of the refusal, of one that was left, or `no_address`; null otherwise"
  })
}).annotations({ identifier: "SettledAppointment" })
export type SettledAppointment = typeof SettledAppointment.Type
