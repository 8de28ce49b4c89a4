import { Args, Command, Options } from "@effect/cli"
import { Console, Effect, Option, Schema } from "effect"
import type { AddedCommand } from "../declarations.ts"
import { PatientProfile } from "../schemas/access/PatientProfile.ts"
import { ConsentUid, OrganisationUid, PatientUid } from "../schemas/ids.ts"
import { Consents } from "../services/patients/Consents.ts"
import { Rectification } from "../services/rights/Rectification.ts"
import { commandOf } from "./added.ts"
import { withServices } from "./services.ts"

const organisation = Options.text("organisation").pipe(
  Options.withSchema(OrganisationUid),
  Options.withDescription("The organisation's uid")
)
const patient = Args.text({ name: "patient" }).pipe(
  Args.withSchema(PatientUid),
  Args.withDescription("The patient's uid")
)

const decodeProfile = Schema.decodeUnknown(PatientProfile, { errors: "all" })

const print = (json: unknown) => Console.log(JSON.stringify(json, null, 2))

const fields = Options.keyValueMap("field").pipe(
  Options.optional,
  Options.withDescription("Fields of the profile, for example last_name=Muster")
)
const removed = Options.text("remove").pipe(Options.repeated, Options.withDescription("A field that is removed"))
const rectify = Command.make("rectify", { organisation, patient, fields, removed }, (given) =>
  withServices(
    Effect.gen(function* () {
      const rectification = yield* Rectification
      const profile = yield* decodeProfile({
        ...Object.fromEntries(Option.getOrElse(given.fields, () => [])),
        ...Object.fromEntries(given.removed.map((field) => [field, null]))
      })
      const rectified = yield* rectification.update(given.organisation, given.patient, { profile })
      yield* print(rectified.profile)
    })
  )
).pipe(
  Command.withDescription(
    "Correct fields of a patient's profile, and print it; prescriptions and orders stay the patient's"
  )
)

const consents = Command.make("consents", { organisation, patient }, ({ organisation, patient }) =>
  withServices(Effect.flatMap(Consents, (all) => Effect.flatMap(all.list(organisation, patient), print)))
).pipe(Command.withDescription("Print what a patient agreed to"))

const consent = Args.text({ name: "consent" }).pipe(
  Args.withSchema(ConsentUid),
  Args.withDescription("The consent's uid")
)
const withdraw = Command.make("withdraw", { organisation, patient, consent }, ({ consent, organisation, patient }) =>
  withServices(Effect.flatMap(Consents, (all) => Effect.flatMap(all.withdraw(organisation, patient, consent), print)))
).pipe(Command.withDescription("Withdraw a patient's consent"))

export const patientsCommand = (added: ReadonlyArray<AddedCommand>) =>
  Command.make("patients").pipe(
    Command.withDescription("What patients may ask for about their data"),
    Command.withSubcommands([rectify, consents, withdraw, ...added.map(commandOf)])
  )
