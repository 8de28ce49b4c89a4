/** Errors of a patient's rights. */
import { NotFoundError } from "../DomainError.ts"

export class ConsentNotFound extends NotFoundError("ConsentNotFound", "Consent") {}
