/** Errors of consents. */
import { NotFoundError } from "../DomainError.ts"

export class ConsentNotFound extends NotFoundError("ConsentNotFound", "Consent") {}
