/** What can go wrong with an operator's tasks. */
import { NotFoundError } from "../DomainError.ts"

export class DeadLetterNotFound extends NotFoundError("DeadLetterNotFound", "Dead letter") {}
