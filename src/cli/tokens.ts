import { Command, Options } from "@effect/cli"
import { SqlClient } from "@effect/sql"
import { Clock, Console, Data, Effect, Option } from "effect"
import { SignJWT } from "jose"
import { Settings } from "../config.ts"
import { mint } from "../layers/identity/DevelopmentIssuer.ts"
import { BOOKING_TOKEN_AUDIENCE } from "../services/access/BookingTokens.ts"
import { SecretBox } from "../services/SecretBox.ts"
import { withServices } from "./services.ts"

class NotPossible extends Data.TaggedError("NotPossible")<{ readonly message: string }> {}

const organisation = Options.text("organisation").pipe(Options.withDescription("The organisation's uid"))
const role = Options.choice("role", ["doctor", "admin"])
const doctor = Options.optional(Options.text("doctor").pipe(Options.withDescription("The doctor's uid")))
const ttl = Options.integer("ttl").pipe(Options.withDefault(3600), Options.withDescription("Seconds that it lives"))

const token = Command.make("token", { organisation, role, doctor, ttl }, ({ organisation, role, doctor, ttl }) =>
  Effect.gen(function* () {
    const { dataDir, baseUrl, oidcIssuer, oidcAudience } = yield* Settings
    if (oidcIssuer !== undefined)
      return yield* new NotPossible({ message: "OIDC_ISSUER is set: ask that identity provider for a token" })
    if (role === "doctor" && Option.isNone(doctor))
      return yield* new NotPossible({ message: "--doctor UID is needed with --role doctor" })
    const person = { organisation_uid: organisation, role, ttlSeconds: ttl }
    const minted = yield* mint(
      { dataDir, baseUrl, audience: oidcAudience },
      Option.match(doctor, { onNone: () => person, onSome: (doctor_uid) => ({ ...person, doctor_uid }) })
    )
    yield* Console.log(minted)
  })
).pipe(Command.withDescription("Mint a doctor's or admin's access token, as the development issuer"))

export const idpCommand = Command.make("idp").pipe(
  Command.withDescription("The built-in development identity provider"),
  Command.withSubcommands([token])
)

const shop = Options.text("shop").pipe(Options.withDescription("The shop_identifier"))
const customer = Options.text("customer").pipe(Options.withDescription("The shop_customer_id"))
const field = Options.keyValueMap("field").pipe(
  Options.optional,
  Options.withDescription("A patient profile field, e.g. --field first_name=Ada; may be repeated")
)

const mintBookingToken = Effect.fnUntraced(function* (
  shop_identifier: string,
  shop_customer_id: string,
  fields: ReadonlyArray<readonly [string, string]>
) {
  const sql = yield* SqlClient.SqlClient
  const [secret] = yield* sql<{ key_id: string; secret_sealed: string }>`
    SELECT b.key_id, b.secret_sealed FROM shops s JOIN booking_token_secrets b USING (organisation_uid)
    WHERE s.shop_identifier = ${shop_identifier} AND b.revoked_at IS NULL ORDER BY b.created_at DESC LIMIT 1`
  if (secret === undefined)
    return yield* new NotPossible({ message: `No shop ${shop_identifier}, or no booking-token secret for it` })
  const text = yield* Effect.flatMap(SecretBox, (box) => box.open(secret.secret_sealed))
  const now = Math.floor((yield* Clock.currentTimeMillis) / 1000)
  const patient_profile_fields = fields.map(([name, value]) => ({ field: name, value, source: "shop" }))
  return yield* Effect.promise(() =>
    new SignJWT({ shop_identifier, shop_customer_id, patient_profile_fields })
      .setProtectedHeader({ alg: "HS256", kid: secret.key_id })
      .setAudience(BOOKING_TOKEN_AUDIENCE)
      .setIssuedAt(now)
      .setNotBefore(now)
      .setExpirationTime(now + 300)
      .sign(new TextEncoder().encode(text))
  )
})

/** For trying things out: a real partner mints its own with the secret that it keeps. */
export const bookingTokenCommand = Command.make(
  "booking-token",
  { shop, customer, field },
  ({ shop, customer, field }) =>
    withServices(
      mintBookingToken(shop, customer, Option.match(field, { onNone: () => [], onSome: (map) => [...map] })).pipe(
        Effect.flatMap(Console.log)
      )
    )
).pipe(Command.withDescription("Mint a patient's booking token, valid five minutes, for trying things out"))
