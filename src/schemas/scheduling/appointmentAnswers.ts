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
const completed = <F extends Schema.Struct.Fields>(identifier: string, { fields }: Schema.Struct<F>) =>
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

const isCompleted = ({ annotations }: SchemaAST.AST) => annotations[COMPLETED] === true
/** Whether an answer of this schema is such a record, or a list of them; null: it is neither. */
export const completedIn = (ast: SchemaAST.AST): "record" | "list" | null => {
  if (isCompleted(ast)) return "record"
  const data = SchemaAST.isTypeLiteral(ast) && ast.propertySignatures.find(({ name }) => name === "data")?.type
  return data && SchemaAST.isTupleType(data) && data.rest.some(({ type }) => isCompleted(type)) ? "list" : null
}
