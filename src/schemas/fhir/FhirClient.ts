/** Clients of the FHIR interface that authenticate with a key pair (SMART backend services). Rule 20.3. */
import { Predicate, Schema } from "effect"
import { Flag, listOf, Name, Opaque, withDefault } from "../fields.ts"
import { organisation_uid } from "../provisioning/tenancy.ts"
import { eitherOf, withRules } from "../rules.ts"
import { isScope } from "./rights.ts"

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
    description: "Public keys, a JWK set",
    jsonSchema: { type: "object", required: ["keys"] }
  })
)
export type KeySet = typeof KeySet.Type

const scope = Schema.String.annotations({ message: () => "must be a SMART scope such as system/Appointment.rs" }).pipe(
  Schema.filter(isScope, {
    message: () => "must be a SMART scope such as system/Appointment.rs",
    jsonSchema: { maxLength: 64, examples: ["system/Appointment.rs"] }
  })
)

export const FhirClientEntry = withRules(
  Schema.Struct({
    client_id: Opaque(255).annotations({ description: "Name by which it authenticates" }),
    organisation_uid,
    name: Name.annotations({ description: "Whose it is" }),
    jwks: withDefault(Schema.NullOr(KeySet), null).annotations({ description: "Its public keys; this or jwks_uri" }),
    jwks_uri: withDefault(
      Schema.NullOr(
        Opaque(2048).pipe(
          Schema.filter(
            (text) => URL.parse(text)?.protocol === "https:" || /^http:\/\/(localhost|127\.0\.0\.1)[:/]/.test(text),
            {
              message: () => "must be an https address"
            }
          )
        )
      ),
      null
    ).annotations({ description: "Address of its public keys" }),
    scopes: listOf(scope, { max: 20, description: "What it may ask for" }),
    active: withDefault(Flag, true).annotations({ description: "Whether it gets access tokens" })
  }),
  [eitherOf("jwks", "jwks_uri")]
)
export type FhirClientEntry = typeof FhirClientEntry.Type
