import { Command, Options, Prompt } from "@effect/cli"
import { Console, Data, Effect, Option } from "effect"
import type { AddedCommand } from "../declarations.ts"
import { organisationPermissions } from "../schemas/access/permissions.ts"
import { DoctorUid, OrganisationUid, SecretUid, ShopUid } from "../schemas/ids.ts"
import { Provisioning } from "../services/provisioning/Provisioning.ts"
import { newCode, newUid } from "../services/uid.ts"
import { commandOf } from "./added.ts"
import { withServices } from "./services.ts"

class OptionNeeded extends Data.TaggedError("OptionNeeded")<{ readonly option: string }> {
  override get message() {
    return `${this.option} is needed where no terminal can ask for it`
  }
}

const flags = {
  name: Options.optional(Options.text("name").pipe(Options.withDescription("Its name, as patients read it"))),
  timezone: Options.optional(Options.text("timezone").pipe(Options.withDescription("IANA zone, e.g. Europe/Berlin"))),
  shop: Options.optional(
    Options.text("shop-identifier").pipe(
      Options.withDescription("The name of its shop in addresses and booking tokens; unique in the installation")
    )
  ),
  doctors: Options.repeated(
    Options.text("doctor").pipe(Options.withDescription("A doctor's name; may be repeated, and none is fine"))
  )
}

/** The option's value, otherwise asks on the terminal. */
const prompted = (option: string, given: Option.Option<string>, message: string, fallback = "") =>
  Option.match(given, {
    onSome: Effect.succeed,
    onNone: () =>
      process.stdin.isTTY
        ? Prompt.run(Prompt.text({ message, default: fallback }))
        : Effect.fail(new OptionNeeded({ option }))
  })

const slugOf = (name: string) =>
  name
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "")

const namesIn = (text: string) =>
  text
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "")

const create = Command.make("create", flags, (given) =>
  Effect.gen(function* () {
    const name = yield* prompted("--name", given.name, "Name of the organisation, as patients read it:")
    const timezone = yield* prompted("--timezone", given.timezone, "Its time zone:", "Europe/Berlin")
    const shop_identifier = yield* prompted(
      "--shop-identifier",
      given.shop,
      "Name of its shop in addresses and booking tokens:",
      slugOf(name)
    )
    const doctors =
      given.doctors.length > 0 || !process.stdin.isTTY
        ? given.doctors
        : namesIn(yield* Prompt.run(Prompt.text({ message: "Doctors, separated by commas (may be none):" })))
    const organisation_uid = yield* newUid(OrganisationUid)
    const shop_uid = yield* newUid(ShopUid)
    const key = yield* newCode("spr")
    const key_id = yield* newUid(SecretUid)
    const secret = yield* newCode("sec")
    const staff = yield* Effect.forEach(doctors, (display_name) =>
      Effect.map(newUid(DoctorUid), (uid) => ({ uid, organisation_uid, display_name }))
    )
    const file = {
      organisations: [{ uid: organisation_uid, name, timezone }],
      shops: [{ uid: shop_uid, organisation_uid, shop_identifier, name }],
      doctors: staff,
      booking_token_secrets: [{ organisation_uid, key_id, secret }],
      api_keys: [{ key, name: "Made with the organisation", permissions: organisationPermissions, organisation_uid }]
    }
    yield* withServices(Effect.flatMap(Provisioning, ({ apply }) => apply(file)))
    yield* Console.error("The key and the secret are shown this once.")
    yield* Console.log(
      [
        `organisation_uid  ${organisation_uid}`,
        `shop_uid          ${shop_uid}`,
        `shop_identifier   ${shop_identifier}`,
        ...staff.map(({ uid, display_name }) => `doctor_uid        ${uid}  ${display_name}`),
        `api_key           ${key}`,
        `secret_key_id     ${key_id}`,
        `secret            ${secret}`
      ].join("\n")
    )
  })
).pipe(
  Command.withDescription(
    "Make an organisation with a shop, doctors, an API key and a booking-token secret; asks for what is not given"
  )
)

export const organisationsCommand = (added: ReadonlyArray<AddedCommand>) =>
  Command.make("organisations").pipe(
    Command.withDescription("Organisations of this installation"),
    Command.withSubcommands([create, ...added.map(commandOf)])
  )
