import { Command, Options } from "@effect/cli"
import { Console, Data, Effect, Option } from "effect"
import { Settings } from "../config.ts"
import { mint, type Person } from "../layers/identity/DevelopmentIssuer.ts"
import { Role } from "../schemas/access/Actor.ts"
import { DAY, HOUR } from "../schemas/seconds.ts"
import { Patients } from "../services/patients/Patients.ts"
import { withServices } from "./services.ts"

class NotPossible extends Data.TaggedError("NotPossible")<{ readonly message: string }> {}

const uid = (name: string, description: string) =>
  Options.text(name).pipe(Options.withDescription(description), Options.optional, Options.map(Option.getOrUndefined))

const options = {
  role: Options.choice("role", Role.literals).pipe(Options.withDescription("The role that the token carries")),
  organisation_uid: uid("organisation", "The organisation's uid; for doctor and admin"),
  doctor_uid: uid("doctor", "The doctor's uid; for doctor"),
  pharmacy_uid: uid("pharmacy", "The pharmacy's uid; for pharmacy"),
  pharmacy_group_uid: uid("pharmacy-group", "The pharmacy group's uid; for pharmacy, instead of --pharmacy"),
  ttlSeconds: Options.integer("ttl").pipe(
    Options.withDefault(HOUR),
    Options.withDescription("Seconds until it expires, 1 to 86400")
  )
}

/** A missing option of the role, or an invalid lifetime; undefined if all is valid. */
const faultOf = ({ role, ttlSeconds, ...person }: Person) => {
  if (ttlSeconds < 1 || ttlSeconds > DAY) return "--ttl must be from 1 to 86400 seconds"
  if ((role === "doctor" || role === "admin") && person.organisation_uid === undefined)
    return `--organisation UID is needed with --role ${role}`
  if (role === "doctor" && person.doctor_uid === undefined) return "--doctor UID is needed with --role doctor"
  if (role === "pharmacy" && (person.pharmacy_uid === undefined) === (person.pharmacy_group_uid === undefined))
    return "exactly one of --pharmacy UID and --pharmacy-group UID is needed with --role pharmacy"
  return undefined
}

const token = Command.make("token", options, (person) =>
  Effect.gen(function* () {
    const { dataDir, baseUrl, oidc } = yield* Settings
    if (oidc.issuer !== undefined)
      return yield* new NotPossible({ message: "OIDC_ISSUER is set: ask that identity provider for a token" })
    const message = faultOf(person)
    if (message !== undefined) return yield* new NotPossible({ message })
    yield* Console.log(yield* mint({ dataDir, baseUrl, audience: oidc.audience }, person))
  })
).pipe(Command.withDescription("Mint an access token of any role, as the development issuer"))

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

/** For development: in production a partner signs tokens itself, with its own copy of the secret. */
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
