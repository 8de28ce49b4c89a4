/** Errors of notifications. */
import { NotFoundError } from "../DomainError.ts"

export class MessageNotFound extends NotFoundError("MessageNotFound", "Message") {}
