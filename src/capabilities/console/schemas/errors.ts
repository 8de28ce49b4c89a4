/** Errors of operators' tasks and of people. */
import { NotFoundError } from "../../../schemas/DomainError.ts"

export class DeadLetterNotFound extends NotFoundError("DeadLetterNotFound", "Dead letter") {}
export class StaffPersonNotFound extends NotFoundError("StaffPersonNotFound", "Person") {}
