import { Args, Command, Options } from "@effect/cli"
import { Console, Effect, Option, Schema } from "effect"
import type { AddedCommand } from "../declarations.ts"
import { PatientProfile } from "../schemas/access/PatientProfile.ts"
import { OrganisationUid, PatientUid } from "../schemas/ids.ts"
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
      yield* Console.log(JSON.stringify(rectified.profile, null, 2))
    })
  )
).pipe(
  Command.withDescription(
    "Correct fields of a patient's profile, and print it; prescriptions and orders stay the patient's"
  )
)

export const patientsCommand = (added: ReadonlyArray<AddedCommand>) =>
  Command.make("patients").pipe(
    Command.withDescription("What patients may ask for about their data"),
    Command.withSubcommands([rectify, ...added.map(commandOf)])
  )
