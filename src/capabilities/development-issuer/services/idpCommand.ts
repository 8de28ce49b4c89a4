/** The operator's command that mints tokens. */
import { Data, Effect, Schema } from "effect"
import { Settings } from "../../../config.ts"
import { addedCommand, commandGroup } from "../../../declarations.ts"
import { Role } from "../../../schemas/access/Actor.ts"
import { DAY, HOUR } from "../../../schemas/seconds.ts"
import { mint, type Person } from "../../shared/services/DevelopmentIssuer.ts"

class NotPossible extends Data.TaggedError("NotPossible")<{ readonly message: string }> {}

const uid = (description: string) => ({ description, schema: Schema.String, isOptional: true }) as const

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

export const idpCommand = commandGroup({
  name: "idp",
  description: "The built-in development identity provider",
  below: [
    addedCommand({
      name: "token",
      description: "Mint an access token of any role, as the development issuer",
      options: {
        role: { description: `The role that the token carries: ${Role.literals.join(", ")}`, schema: Role },
        organisation: uid("The organisation's uid; for doctor and admin"),
        doctor: uid("The doctor's uid; for doctor"),
        pharmacy: uid("The pharmacy's uid; for pharmacy"),
        "pharmacy-group": uid("The pharmacy group's uid; for pharmacy, instead of --pharmacy"),
        ttl: {
          description: `Seconds until it expires, 1 to ${DAY}; default ${HOUR}`,
          schema: Schema.NumberFromString.pipe(Schema.int()),
          isOptional: true
        }
      },
      offline: ({ role, ttl = HOUR, ...of }) =>
        Effect.gen(function* () {
          const { dataDir, baseUrl, oidc } = yield* Settings
          if (oidc.issuer !== undefined)
            return yield* new NotPossible({ message: "OIDC_ISSUER is set: ask that identity provider for a token" })
          const person = {
            role,
            organisation_uid: of.organisation,
            doctor_uid: of.doctor,
            pharmacy_uid: of.pharmacy,
            pharmacy_group_uid: of["pharmacy-group"],
            ttlSeconds: ttl
          }
          const message = faultOf(person)
          if (message !== undefined) return yield* new NotPossible({ message })
          return yield* mint({ dataDir, baseUrl, audience: oidc.audience }, person)
        })
    })
  ]
})
