/** Errors of a patient's rights. */
import { DomainError, NotFoundError } from "../DomainError.ts"

export class ConsentNotFound extends NotFoundError("ConsentNotFound", "Consent") {}

/** Two records cannot be one: each has an account of its own at the shop. */
export class BothHaveAccounts extends DomainError(
  "BothHaveAccounts",
  "Both records have an account at the shop: merge the accounts there, and clear shop_customer_id of one of them"
) {}
