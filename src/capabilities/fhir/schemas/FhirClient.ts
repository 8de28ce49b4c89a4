/** Clients of the FHIR interface that authenticate with a key pair (SMART backend services). Rule 20.3. */
import { Predicate, Schema } from "effect"
import { NotFoundError } from "../../../schemas/DomainError.ts"
import {
  body,
  changes,
  described,
  Flag,
  listOf,
  Name,
  Opaque,
  Segment,
  UnixSeconds,
  withDefault,
  withExample
} from "../../../schemas/fields.ts"
import { organisation_uid } from "../../../schemas/provisioning/tenancy.ts"
import { eitherOf, notBoth, withRules } from "../../../schemas/rules.ts"
import { isScope } from "./rights.ts"

export class FhirClientNotFound extends NotFoundError("FhirClientNotFound", "FHIR client") {}

const aKeySet = "must be a JWK set with 1 to 10 public keys, each with kty and kid, for ES384 or RS384"

/** Public keys alone: a private one does not belong here. */
const isPublicKey = (key: unknown) =>
  Predicate.isRecord(key) &&
  typeof key.kid === "string" &&
  !("d" in key) &&
  (key.kty === "RSA" || (key.kty === "EC" && key.crv === "P-384"))

const isKeySet = (set: unknown) =>
  Predicate.isRecord(set) &&
  Array.isArray(set.keys) &&
  set.keys.length >= 1 &&
  set.keys.length <= 10 &&
  set.keys.every(isPublicKey) &&
  JSON.stringify(set).length <= 20_000

/** A JWK set, as RFC 7517 has it. */
export const KeySet = Schema.Record({ key: Schema.String, value: Schema.Unknown }).pipe(
  Schema.filter(isKeySet, {
    message: () => aKeySet,
    jsonSchema: {
      type: "object",
      required: ["keys"],
      properties: {
        keys: {
          type: "array",
          minItems: 1,
          maxItems: 10,
          items: { type: "object" },
          description: "Keys for ES384 or RS384, each with kty and kid"
        }
      },
      description: "Public keys, a JWK set; these or jwks_uri"
    }
  })
)
export type KeySet = typeof KeySet.Type

const scope = Schema.String.annotations({ message: () => "must be a SMART scope such as system/Appointment.rs" }).pipe(
  Schema.filter(isScope, {
    message: () => "must be a SMART scope such as system/Appointment.rs",
    jsonSchema: { maxLength: 64, examples: ["system/Appointment.rs"] }
  })
)

const address = Opaque(2048)
  .pipe(
    Schema.filter(
      (text) => URL.parse(text)?.protocol === "https:" || /^http:\/\/(localhost|127\.0\.0\.1)[:/]/.test(text),
      { message: () => "must be an https address" }
    )
  )
  .annotations({ description: "Address of its public keys" })
const name = described(Name, "Whose it is")
const scopes = listOf(scope, { max: 20, description: "What it may ask for" })
const active = described(Flag, "Whether it gets access tokens")

const fields = {
  client_id: Segment.annotations({
    description: "Name by which it authenticates; unique over all organisations",
    examples: ["example-portal"]
  }),
  name,
  jwks: withDefault(Schema.NullOr(KeySet), null),
  jwks_uri: described(withDefault(Schema.NullOr(address), null), "Address of its public keys"),
  scopes,
  active: withDefault(active, true)
}

export const FhirClientEntry = withRules(Schema.Struct({ organisation_uid, ...fields }), [eitherOf("jwks", "jwks_uri")])
export type FhirClientEntry = typeof FhirClientEntry.Type

const example = {
  name: "Portal of the hospital",
  jwks_uri: "https://portal.example.org/jwks.json",
  scopes: ["system/Slot.rs", "system/Appointment.crus"]
}

export const NewFhirClient = withExample(withRules(body(fields), [eitherOf("jwks", "jwks_uri")]), {
  client_id: "example-portal",
  ...example
})
export type NewFhirClient = typeof NewFhirClient.Type

/** Keys in place replace an address, and an address keys in place. */
export const FhirClientChanges = withExample(
  withRules(changes({ name, jwks: KeySet, jwks_uri: address, scopes, active }), [notBoth("jwks", "jwks_uri")]),
  example
)
export type FhirClientChanges = typeof FhirClientChanges.Type

export const FhirClient = Schema.Struct({
  client_id: Schema.String.annotations({ description: "Name by which it authenticates", examples: ["example-portal"] }),
  name,
  jwks: Schema.NullOr(KeySet).annotations({ examples: [null] }),
  jwks_uri: Schema.NullOr(Schema.String).annotations({
    description: "Address of its public keys",
    examples: ["https://portal.example.org/jwks.json"]
  }),
  scopes: Schema.Array(Schema.String).annotations({
    description: "What it may ask for",
    examples: [["system/Slot.rs", "system/Appointment.crus"]]
  }),
  active,
  created_at: UnixSeconds,
  updated_at: UnixSeconds
}).annotations({ identifier: "FhirClient" })
export type FhirClient = typeof FhirClient.Type
