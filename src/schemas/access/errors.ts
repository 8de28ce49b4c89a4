/** Errors of tenants and their credentials. */

import { DomainError, NotFoundError } from "../DomainError.ts"
import type { PatientUid } from "../ids.ts"

export class OrganisationNotFound extends NotFoundError("OrganisationNotFound", "Organisation") {}
export class AdministratorNotFound extends NotFoundError("AdministratorNotFound", "Administrator") {}
export class ShopNotFound extends NotFoundError("ShopNotFound", "Shop") {}
export class PatientNotFound extends NotFoundError("PatientNotFound", "Patient") {}
/** The record became part of another one of the same organisation. Rule 12.1.25. */
export class PatientMerged extends NotFoundError("PatientMerged", "Patient")<{ readonly merged_into: PatientUid }> {
  override get message() {
    return `Patient not found: merged into ${this.merged_into}`
  }
  get inBody() {
    return { merged_into: this.merged_into }
  }
}
export class ApiKeyNotFound extends NotFoundError("ApiKeyNotFound", "API key") {}

/** The organisation, pharmacy or pharmacy group of a new key. */
export class KeyOwnerNotFound extends NotFoundError("KeyOwnerNotFound", "Owner of the key")<{
  readonly kind: string
  readonly uid: string
}> {
  override get message() {
    return `${this.kind} ${this.uid} not found`
  }
}
/** The patient interface hides operations for which a key has no permission (Rule 1.3.7). */
export class PatientOperationNotFound extends NotFoundError("PatientOperationNotFound", "Resource") {}
export class SecretNotFound extends NotFoundError("SecretNotFound", "Booking-token secret") {}

/** Why a booking token is refused; `reason` is for logs: it names claims, never their values. Rule 1.5.10. */
type Refused = { readonly reason: string }
export class TokenExpired extends DomainError(
  "TokenExpired",
  "The booking token has expired: sign a new one, and check the clock of the machine that signs"
)<Refused> {}
export class TokenNotYetValid extends DomainError(
  "TokenNotYetValid",
  "`nbf` or `iat` of the booking token is in the future: check the clock of the machine that signs"
)<Refused> {}
export class TokenTooLong extends DomainError(
  "TokenTooLong",
  "`exp` of the booking token is more than 3600 seconds after `iat`: sign it for less time"
)<Refused> {}
export class TokenAudience extends DomainError(
  "TokenAudience",
  "`aud` of the booking token must be or contain service-scheduling"
)<Refused> {}
export class TokenKeyUnknown extends DomainError(
  "TokenKeyUnknown",
  "`kid` of the booking token names no booking-token secret that is in use"
)<Refused> {}
export class TokenSignature extends DomainError(
  "TokenSignature",
  "The booking token is not signed by HS256 with the text of the secret that `kid` names"
)<Refused> {}
export class TokenShopUnknown extends DomainError(
  "TokenShopUnknown",
  "`shop_identifier` of the booking token names no shop of the organisation that owns the secret"
)<Refused> {}
export class TokenMalformed extends DomainError(
  "TokenMalformed",
  "The booking token is no JWT by HS256 with `kid` and all claims that it needs"
)<Refused> {}

/** Another record already has this unique value; `field` names the field. */
export class AlreadyUsed extends DomainError(
  "AlreadyUsed",
  "Another record has this name already; `error` says which"
)<{
  readonly field: "client_id" | "shop_customer_id" | "shop_identifier"
}> {
  override get message() {
    return `${this.field}: is used already by another record`
  }
}

export class IdempotencyKeyReused extends DomainError(
  "IdempotencyKeyReused",
  "This Idempotency-Key was used with another request: send a new key"
) {}

export class InProgress extends DomainError("InProgress", "The same thing is being worked on; try again in a moment") {}
