import { Prompt } from "@effect/cli"
import { Console, Data, Effect, Schema } from "effect"
import { addedCommand } from "../../../declarations.ts"
import { organisationPermissions } from "../../../schemas/access/permissions.ts"
import { DoctorUid, OrganisationUid, SecretUid, ShopUid } from "../../../schemas/ids.ts"
import { newCode, newUid } from "../../../services/uid.ts"
import { Provisioning } from "../../shared/services/provisioning/Provisioning.ts"

class OptionNeeded extends Data.TaggedError("OptionNeeded")<{ readonly option: string }> {
  override get message() {
    return `${this.option} is needed where no terminal can ask for it`
  }
}

/** The option's value, otherwise asks on the terminal. */
const prompted = (option: string, given: string | undefined, message: string, fallback = "") => {
  if (given !== undefined) return Effect.succeed(given)
  return process.stdin.isTTY
    ? Prompt.run(Prompt.text({ message, default: fallback }))
    : Effect.fail(new OptionNeeded({ option }))
}

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

export const organisationCommand = addedCommand({
  group: "organisations",
  name: "create",
  description:
    "Make an organisation with a shop, doctors, an API key and a booking-token secret; asks for what is not given",
  options: {
    name: { description: "Its name, as patients read it", schema: Schema.String, isOptional: true },
    timezone: { description: "IANA zone, e.g. Europe/Berlin", schema: Schema.String, isOptional: true },
    "shop-identifier": {
      description: "The name of its shop in addresses and booking tokens; unique in the installation",
      schema: Schema.String,
      isOptional: true
    },
    doctor: {
      description: "A doctor's name; may be repeated, and none is fine",
      schema: Schema.String,
      isRepeated: true
    }
  },
  run: (given) =>
    Effect.gen(function* () {
      const name = yield* prompted("--name", given.name, "Name of the organisation, as patients read it:")
      const timezone = yield* prompted("--timezone", given.timezone, "Its time zone:", "Europe/Berlin")
      const shop_identifier = yield* prompted(
        "--shop-identifier",
        given["shop-identifier"],
        "Name of its shop in addresses and booking tokens:",
        slugOf(name)
      )
      const doctors =
        given.doctor.length > 0 || !process.stdin.isTTY
          ? given.doctor
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
      yield* Effect.provide(
        Effect.flatMap(Provisioning, ({ apply }) => apply(file)),
        Provisioning.Default
      )
      yield* Console.error("The key and the secret are shown this once.")
      return [
        `organisation_uid  ${organisation_uid}`,
        `shop_uid          ${shop_uid}`,
        `shop_identifier   ${shop_identifier}`,
        ...staff.map(({ uid, display_name }) => `doctor_uid        ${uid}  ${display_name}`),
        `api_key           ${key}`,
        `secret_key_id     ${key_id}`,
        `secret            ${secret}`
      ].join("\n")
    })
})
