/** Answers about appointments to their doctors and practices: with the fields that capabilities add, which `http/group.ts` fills. */
import { Schema, SchemaAST } from "effect"
import { addedFields } from "../addedFields.ts"
import { later } from "../fields.ts"
import { Appointment, FinishedAppointment as Finished } from "./Appointment.ts"
import { CancelledWithReason } from "./Cancellation.ts"
import { BookedAppointment as Booked } from "./KeyHold.ts"
import { Rebooked } from "./Rebooking.ts"

/** Fields that capabilities add to them. */
export const appointmentFields = addedFields()

const COMPLETED = Symbol.for("schemas/scheduling/appointmentAnswers")
/** The record with the added fields. Only for answers: nothing is stored with them. */
export const completed = <F extends Schema.Struct.Fields>(identifier: string, { fields }: Schema.Struct<F>) =>
  later(
    identifier,
    // The cast: what is added is not known to the compiler
    () =>
      Schema.Struct({ ...fields, ...appointmentFields.schemas() }) as unknown as Schema.Schema<
        Schema.Struct.Type<F>,
        Schema.Struct.Encoded<F>
      >
  ).annotations({ [COMPLETED]: true })

export const StaffAppointment = completed("StaffAppointment", Appointment)
export const StaffCancelled = completed("StaffCancelledAppointment", CancelledWithReason)
export const StaffRebooked = completed("StaffRebookedAppointment", Rebooked)
export const FinishedAppointment = completed("FinishedAppointment", Finished)
export const BookedAppointment = completed("BookedAppointment", Booked)

/** Of every element of a list, in a path. */
export const EACH = Symbol.for("schemas/scheduling/appointmentAnswers/each")
export type AnswerPath = ReadonlyArray<PropertyKey>
interface Part {
  /** Undefined: it is the whole, of several kinds. */
  readonly name?: PropertyKey
  readonly type: SchemaAST.AST
}
const partsOf = (ast: SchemaAST.AST): ReadonlyArray<Part> => {
  if (SchemaAST.isTypeLiteral(ast)) return ast.propertySignatures
  if (SchemaAST.isTupleType(ast)) return ast.rest.map(({ type }) => ({ name: EACH, type }))
  return SchemaAST.isUnion(ast) ? ast.types.map((type) => ({ type })) : []
}
/** The path to such records in an answer of this schema; undefined: it has none. An answer has them at one place. */
export const completedAt = (ast: SchemaAST.AST): AnswerPath | undefined => {
  if (ast.annotations[COMPLETED] === true) return []
  for (const { name, type } of partsOf(ast)) {
    const path = completedAt(type)
    if (path !== undefined) return name === undefined ? path : [name, ...path]
  }
  return undefined
}
