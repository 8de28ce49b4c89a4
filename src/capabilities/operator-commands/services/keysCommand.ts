/** Commands for API keys: the first ones of an installation, and those of pharmacies and their groups. */
import { Console, Effect, Schema } from "effect"
import { addedCommand, commandGroup } from "../../../declarations.ts"
import { organisationPermissions, pharmacyPermissions } from "../../../schemas/access/permissions.ts"
import { invalid } from "../../../schemas/problems.ts"
import { ApiKeys, type KeyOwner } from "../../../services/access/ApiKeys.ts"

const uidOf = (whose: string) =>
  ({ description: `The uid of the ${whose}`, schema: Schema.String, isOptional: true }) as const

const owners = {
  organisation: uidOf("organisation whose key it is"),
  pharmacy: uidOf("pharmacy whose key it is"),
  "pharmacy-group": uidOf("pharmacy group whose key it is, for each of its pharmacies")
}

type Owners = Readonly<Record<keyof typeof owners, string | undefined>>

const named = (given: Owners): ReadonlyArray<KeyOwner> =>
  (
    [
      ["organisation", given.organisation],
      ["pharmacy", given.pharmacy],
      ["pharmacy_group", given["pharmacy-group"]]
    ] as const
  ).flatMap(([kind, uid]) => (uid === undefined ? [] : [{ kind, uid }]))

const create = addedCommand({
  name: "create",
  description: "Make an API key and print it, as the last line",
  options: {
    ...owners,
    name: { description: "What it is for, to tell keys apart", schema: Schema.String },
    permission: {
      description: "What it may do; may be repeated",
      schema: Schema.Literal(...organisationPermissions, ...pharmacyPermissions),
      isRepeated: true
    }
  },
  run: ({ name, permission: permissions, ...given }) =>
    Effect.gen(function* () {
      const [owner, ...others] = named(given)
      if (owner === undefined || others.length > 0)
        return yield* invalid("owner", "name exactly one of --organisation, --pharmacy and --pharmacy-group")
      if (permissions.length === 0) return yield* invalid("permission", "name at least one")
      const { uid, key } = yield* (yield* ApiKeys).createFor(owner, { name, permissions })
      yield* Console.error(`${uid}: the key is shown this once`)
      return key
    }).pipe(Effect.provide(ApiKeys.Default))
})

const day = (seconds: number | null) =>
  seconds === null ? "never" : new Date(seconds * 1000).toISOString().slice(0, 10)

const list = addedCommand({
  name: "list",
  description: "List keys, of one owner or of all; never their text",
  options: owners,
  run: (given) =>
    Effect.gen(function* () {
      const keys = yield* (yield* ApiKeys).list(named(given)[0])
      return keys
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
    }).pipe(Effect.provide(ApiKeys.Default))
})

const revoke = addedCommand({
  name: "revoke",
  description: "Revoke a key at once",
  args: { uid: Schema.String },
  run: ({ uid }) =>
    Effect.flatMap(ApiKeys, (keys) => keys.revoke(uid)).pipe(
      Effect.as(`${uid} is revoked`),
      Effect.provide(ApiKeys.Default)
    )
})

export const keysCommand = commandGroup({
  name: "keys",
  description: "API keys of organisations, pharmacies and pharmacy groups",
  below: [create, list, revoke]
})
