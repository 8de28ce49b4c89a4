/** The operator's commands on what is kept of patients and organisations. */
import { Console, Effect, Schema } from "effect"
import { addedCommand } from "../../../declarations.ts"
import { PatientProfile } from "../../../schemas/access/PatientProfile.ts"
import { ConsentUid, OrganisationUid, PatientUid } from "../../../schemas/ids.ts"
import { Consents } from "../../../services/patients/Consents.ts"
import { NamedValue } from "../../shared/schemas/namedValue.ts"
import { Rectification } from "../../shared/services/patients/Rectification.ts"
import { OrganisationErasure } from "./OrganisationErasure.ts"

const WHAT_IS_ERASED =
  "This deletes the organisation's key, and with it every text and file that it sealed, and all of its records. Records " +
  "of treatment have to be kept for ten years (§ 630f BGB): hand them over first. Then add --yes."

const group = "patients"
const args = { patient: PatientUid }
const options = { organisation: { description: "The organisation's uid", schema: OrganisationUid } }

const printed = (json: unknown) => JSON.stringify(json, null, 2)

const decodeProfile = Schema.decodeUnknown(PatientProfile, { errors: "all" })

export const recordCommands = [
  addedCommand({
    group,
    name: "rectify",
    description: "Correct fields of a patient's profile, and print it; prescriptions and orders stay the patient's",
    args,
    options: {
      ...options,
      field: {
        description: "Fields of the profile, for example last_name=Muster",
        schema: NamedValue,
        isRepeated: true
      },
      remove: { description: "A field that is removed", schema: Schema.String, isRepeated: true }
    },
    run: ({ organisation, patient, field, remove }) =>
      Effect.gen(function* () {
        const { update } = yield* Rectification
        const removed = remove.map((name) => [name, null] as const)
        const profile = yield* decodeProfile(Object.fromEntries([...field, ...removed]))
        return printed((yield* update(organisation, patient, { profile })).profile)
      }).pipe(Effect.provide(Rectification.Default))
  }),
  addedCommand({
    group,
    name: "consents",
    description: "Print what a patient agreed to",
    args,
    options,
    run: ({ organisation, patient }) =>
      Effect.flatMap(Consents, (consents) => consents.list(organisation, patient)).pipe(
        Effect.map(printed),
        Effect.provide(Consents.Default)
      )
  }),
  addedCommand({
    group,
    name: "withdraw",
    description: "Withdraw a patient's consent",
    args: { ...args, consent: ConsentUid },
    options,
    run: ({ consent, organisation, patient }) =>
      Effect.flatMap(Consents, (consents) => consents.withdraw(organisation, patient, consent)).pipe(
        Effect.map(printed),
        Effect.provide(Consents.Default)
      )
  }),
  addedCommand({
    group: "organisations",
    name: "erase",
    description: "Forget an organisation's key and delete all of its records and files, for good",
    args: { ORGANISATION_UID: OrganisationUid },
    options: {
      yes: { description: "Without it, the command only says what it would do", schema: Schema.Boolean, isFlag: true }
    },
    run: ({ ORGANISATION_UID: organisation, yes }) =>
      Effect.gen(function* () {
        if (!yes) return yield* Console.error(WHAT_IS_ERASED)
        const { erased, kept } = yield* (yield* OrganisationErasure).erase(organisation)
        yield* Console.error(
          "Kept are the pharmacies' own orders and the audit log. Backups hold the organisation until they end."
        )
        const lines = (word: string, list: typeof kept) => list.map(({ what, count }) => `${word}  ${count} ${what}`)
        return [...lines("erased", erased), ...lines("kept", kept)].join("\n")
      }).pipe(Effect.provide(OrganisationErasure.Default))
  })
]
