/** WebAuthn credentials of people who sign in by mail; the only writer of their table. Rule 17.1.12. */
import { isIP } from "node:net"
import type * as WebAuthn from "@simplewebauthn/server"
import { Data, Effect, Schema } from "effect"
import { Settings } from "../../../config.ts"
import { realNow } from "../../../services/DomainClock.ts"
import { rowsOf } from "../../../services/database/rows.ts"
import { Sql } from "../../../services/database/Sql.ts"
import { timestamp } from "../../../services/database/SqlErrors.ts"
import { unaudited } from "../../../services/tenancy/Tenancy.ts"
import { hashOf } from "../../../services/uid.ts"

/** The browser's credential was not made for this attempt, or is not known. `reason` is for logs. */
export class PasskeyRefused extends Data.TaggedError("PasskeyRefused")<{ readonly reason: string }> {}

const Listed = Schema.Struct({ credential_id: Schema.String, name: Schema.String, created_at: Schema.Number })
const Stored = Schema.Struct({
  credential_id: Schema.String,
  email: Schema.String,
  public_key: Schema.Uint8ArrayFromSelf,
  counter: Schema.Number,
  transports: Schema.Array(Schema.String)
})
/** Loaded by the first passkey: it evaluates several packages of ASN.1 and certificates. */
const webAuthn = (): typeof WebAuthn => require("@simplewebauthn/server")

/** Most passkeys of one address. */
const PASSKEYS_MAX = 20

const text = Schema.String
const Transport = Schema.Literal("ble", "cable", "hybrid", "internal", "nfc", "smart-card", "usb")
const isTransport = Schema.is(Transport)
const Credential = {
  id: text,
  rawId: text,
  type: Schema.Literal("public-key"),
  clientExtensionResults: Schema.Struct({})
}
const decodeMade = Schema.decodeUnknown(
  Schema.parseJson(
    Schema.Struct({
      ...Credential,
      response: Schema.Struct({
        clientDataJSON: text,
        attestationObject: text,
        transports: Schema.optionalWith(Schema.Array(text), { default: () => [] })
      })
    })
  )
)
const decodeUsed = Schema.decodeUnknown(
  Schema.parseJson(
    Schema.Struct({
      ...Credential,
      response: Schema.Struct({ clientDataJSON: text, authenticatorData: text, signature: text })
    })
  )
)
const refused = (cause: unknown) => new PasskeyRefused({ reason: String(cause) })

export class Passkeys extends Effect.Service<Passkeys>()("console/Passkeys", {
  effect: Effect.gen(function* () {
    const sql = yield* Sql
    const { baseUrl } = yield* Settings
    const { hostname, origin } = new URL(baseUrl)
    const listed = rowsOf(Listed)
    const stored = rowsOf(Stored)
    const own = (email: string) => sql`lower(email) = lower(${email})`
    const run = <A, E, R>(statement: Effect.Effect<A, E, R>) => unaudited(Effect.orDie(statement))

    /** By age. */
    const list = (email: string) =>
      listed.all(sql`SELECT credential_id, name, extract(epoch FROM created_at)::bigint AS created_at FROM passkeys
        WHERE ${own(email)} ORDER BY created_at, credential_id`)

    /** What the browser makes a passkey of. */
    const offer = Effect.fn("Passkeys.offer")(function* (email: string, name: string, challenge: string) {
      const known = yield* list(email)
      return yield* Effect.promise(() =>
        webAuthn().generateRegistrationOptions({
          rpName: "Sprechstunde",
          rpID: hostname,
          userName: email,
          userDisplayName: name,
          userID: new Uint8Array(hashOf(email.toLowerCase())),
          challenge: new Uint8Array(Buffer.from(challenge, "base64url")),
          attestationType: "none",
          excludeCredentials: known.map(({ credential_id }) => ({ id: credential_id })),
          authenticatorSelection: { residentKey: "required", userVerification: "required" }
        })
      )
    })

    /** Adds a passkey that the browser has made for this challenge. Fails with `PasskeyRefused`. */
    const add = Effect.fn("Passkeys.add")(function* (email: string, name: string, challenge: string, made: string) {
      const { response, ...credential } = yield* Effect.mapError(decodeMade(made), refused)
      const { transports, ...attested } = response
      const { registrationInfo } = yield* Effect.tryPromise({
        try: () =>
          webAuthn().verifyRegistrationResponse({
            response: { ...credential, response: attested },
            expectedChallenge: challenge,
            expectedOrigin: origin,
            expectedRPID: hostname,
            requireUserVerification: true
          }),
        catch: refused
      })
      if (registrationInfo === undefined) return yield* refused("not verified")
      if ((yield* list(email)).length >= PASSKEYS_MAX) return yield* refused("too many")
      const { id, publicKey, counter } = registrationInfo.credential
      const row = { credential_id: id, email, name, counter, created_at: timestamp(yield* realNow) }
      const added =
        yield* run(sql`INSERT INTO passkeys (credential_id, email, name, public_key, counter, transports, created_at)
        VALUES (${id}, ${email}, ${name}, ${Buffer.from(publicKey)}, ${counter}, ${transports.filter(isTransport)}::text[],
          ${row.created_at}) ON CONFLICT DO NOTHING RETURNING credential_id`)
      if (added.length === 0) return yield* refused("known already")
    })

    /** The address of a passkey that the browser has used for this challenge. Fails with `PasskeyRefused`. */
    const use = Effect.fn("Passkeys.use")(function* (challenge: string, used: string) {
      const response = yield* Effect.mapError(decodeUsed(used), refused)
      const { credential_id, email, public_key, counter, transports } = yield* stored.firstOr(
        sql`SELECT credential_id, email, public_key, counter, transports FROM passkeys WHERE credential_id = ${response.id}`,
        () => refused("unknown")
      )
      const { verified, authenticationInfo } = yield* Effect.tryPromise({
        try: () =>
          webAuthn().verifyAuthenticationResponse({
            response,
            expectedChallenge: challenge,
            expectedOrigin: origin,
            expectedRPID: hostname,
            requireUserVerification: true,
            credential: {
              id: credential_id,
              publicKey: new Uint8Array(public_key),
              counter,
              transports: transports.filter(isTransport)
            }
          }),
        catch: refused
      })
      if (!verified) return yield* refused("not verified")
      yield* run(sql`UPDATE passkeys SET counter = ${authenticationInfo.newCounter}, used_at = ${timestamp(yield* realNow)}
        WHERE credential_id = ${credential_id}`)
      return email
    })

    const remove = (email: string, credential: string) =>
      run(sql`DELETE FROM passkeys WHERE ${own(email)} AND credential_id = ${credential}`)

    /** Ends those of an address that nobody has any more. */
    const forget = (email: string) => run(sql`DELETE FROM passkeys WHERE ${own(email)}`)

    /** Browsers make none for an IP address. */
    const available = isIP(hostname.replace(/^\[|\]$/g, "")) === 0
    return { available, rpId: hostname, list, offer, add, use, remove, forget } as const
  })
}) {}
