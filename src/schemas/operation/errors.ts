/** Errors of operators' tasks. */
import { NotFoundError } from "../DomainError.ts"

export class DeadLetterNotFound extends NotFoundError("DeadLetterNotFound", "Dead letter") {}
