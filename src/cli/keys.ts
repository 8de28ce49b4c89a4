import { Args, Command, Options } from "@effect/cli"
import { Console, Effect, Option } from "effect"
import { organisationPermissions, pharmacyPermissions } from "../schemas/access/permissions.ts"
import { invalid } from "../schemas/problems.ts"
import { ApiKeys, type KeyOwner } from "../services/access/ApiKeys.ts"
import { withServices } from "./services.ts"

const uidOption = (name: string, whose: string) =>
  Options.optional(Options.text(name).pipe(Options.withDescription(`The uid of the ${whose} whose key it is`)))

const owners = {
  organisation: uidOption("organisation", "organisation"),
  pharmacy: uidOption("pharmacy", "pharmacy"),
  group: uidOption("pharmacy-group", "pharmacy group, whose every pharmacy it opens")
}

type Owners = Readonly<Record<keyof typeof owners, Option.Option<string>>>

const named = ({ group, organisation, pharmacy }: Owners): ReadonlyArray<KeyOwner> => [
  ...Option.toArray(organisation).map((uid) => ({ kind: "organisation", uid }) as const),
  ...Option.toArray(pharmacy).map((uid) => ({ kind: "pharmacy", uid }) as const),
  ...Option.toArray(group).map((uid) => ({ kind: "pharmacy_group", uid }) as const)
]

const exactlyOne = (given: ReadonlyArray<KeyOwner>) => {
  const [owner] = given
  return owner === undefined || given.length > 1
    ? invalid("owner", "name exactly one of --organisation, --pharmacy and --pharmacy-group")
    : Effect.succeed(owner)
}

const name = Options.text("name").pipe(Options.withDescription("What it is for, to tell keys apart"))
const permission = Options.choice("permission", [...organisationPermissions, ...pharmacyPermissions]).pipe(
  Options.withDescription("What it may do; may be repeated"),
  Options.atLeast(1)
)

const create = Command.make("create", { ...owners, name, permission }, ({ name, permission, ...given }) =>
  Effect.flatMap(exactlyOne(named(given)), (owner) =>
    withServices(Effect.flatMap(ApiKeys, (keys) => keys.createFor(owner, { name, permissions: permission })))
  ).pipe(
    Effect.tap(({ uid }) => Console.error(`${uid}: the key is shown this once`)),
    Effect.flatMap(({ key }) => Console.log(key))
  )
).pipe(Command.withDescription("Make an API key and print it, as the last line"))

const day = (seconds: number | null) =>
  seconds === null ? "never" : new Date(seconds * 1000).toISOString().slice(0, 10)

const list = Command.make("list", owners, (given) =>
  withServices(Effect.flatMap(ApiKeys, (keys) => keys.list(named(given)[0]))).pipe(
    Effect.flatMap((keys) =>
      Console.log(
        keys
          .map(({ created_at, last_used_at, name, owner, permissions, revoked_at, uid }) =>
            [
              uid,
              owner,
              name,
              permissions.join(","),
              `made ${day(created_at)}`,
              `used ${day(last_used_at)}`,
              revoked_at === null ? "active" : `revoked ${day(revoked_at)}`
            ].join("\t")
          )
          .join("\n")
      )
    )
  )
).pipe(Command.withDescription("List keys, of one owner or of all; never their text"))

const revoke = Command.make("revoke", { uid: Args.text({ name: "uid" }) }, ({ uid }) =>
  withServices(Effect.flatMap(ApiKeys, (keys) => keys.revoke(uid))).pipe(
    Effect.zipRight(Console.log(`${uid} is revoked`))
  )
).pipe(Command.withDescription("Revoke a key at once"))

export const keysCommand = Command.make("keys").pipe(
  Command.withDescription("API keys of organisations, pharmacies and pharmacy groups"),
  Command.withSubcommands([create, list, revoke])
)
