import { Command, Options } from "@effect/cli"
import { Console, Data, Effect, Option } from "effect"
import { Settings } from "../config.ts"
import { mint } from "../layers/identity/DevelopmentIssuer.ts"
import { Patients } from "../services/access/Patients.ts"
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

/** For trying things out: a partner signs tokens itself, with its own copy of the secret. */
export const bookingTokenCommand = Command.make(
  "booking-token",
  { shop, customer, field },
  ({ shop, customer, field }) =>
    withServices(
      Effect.flatMap(Patients, ({ mintToken }) =>
        mintToken(shop, customer, Option.match(field, { onNone: () => [], onSome: (map) => [...map] }))
      ).pipe(Effect.flatMap(Console.log))
    )
).pipe(Command.withDescription("Mint a patient's booking token, valid five minutes, for trying things out"))
