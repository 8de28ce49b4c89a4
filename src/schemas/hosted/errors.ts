/** Errors of the hosted pages. */
import { NotFoundError } from "../DomainError.ts"

export class PageNotFound extends NotFoundError("PageNotFound", "Page") {}
