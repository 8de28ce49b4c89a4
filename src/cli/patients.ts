import { Args, Command, Options } from "@effect/cli"
import { Console, Effect, Option, Schema } from "effect"
import type { Actor } from "../schemas/access/Actor.ts"
import { PatientProfile } from "../schemas/access/PatientProfile.ts"
import { ConsentUid, OrganisationUid, PatientUid } from "../schemas/ids.ts"
import { PatientExport as Exported } from "../schemas/patients/PatientRights.ts"
import { Consents } from "../services/patients/Consents.ts"
import { PatientRecords } from "../services/patients/PatientRecords.ts"
import { Erasures } from "../services/rights/Erasures.ts"
import { PatientExport } from "../services/rights/PatientExport.ts"
import { Rectification } from "../services/rights/Rectification.ts"
import { documentOf } from "../services/rights/readable.ts"
import { linesOf, readErasureList } from "./erasureList.ts"
import { operator, withServices } from "./services.ts"

const organisation = Options.text("organisation").pipe(
  Options.withSchema(OrganisationUid),
  Options.withDescription("The organisation's uid")
)
const patient = Args.text({ name: "patient" }).pipe(
  Args.withSchema(PatientUid),
  Args.withDescription("The patient's uid")
)

const decodeProfile = Schema.decodeUnknown(PatientProfile, { errors: "all" })

const actor: Actor = { kind: "operator", uid: operator }

const print = (json: unknown) => Console.log(JSON.stringify(json, null, 2))

const html = Options.boolean("html").pipe(Options.withDescription("A page to read and print instead of JSON"))
const exported = Command.make("export", { organisation, patient, html }, ({ organisation, patient, html }) =>
  withServices(
    Effect.flatMap(PatientExport, (exports) => exports.make(organisation, patient, actor)).pipe(
      Effect.flatMap((found) =>
        html ? Console.log([...documentOf(found)].join("")) : Effect.flatMap(Schema.encode(Exported)(found), print)
      )
    )
  )
).pipe(Command.withDescription("Print all that is kept of a patient; addresses of files hold for five minutes"))

const reason = Options.text("reason").pipe(Options.withDescription("Why; kept sealed"))
const erase = Command.make("erase", { organisation, patient, reason }, ({ organisation, patient, reason }) =>
  withServices(
    Effect.flatMap(Erasures, (erasures) =>
      erasures.erase(organisation, patient, actor, { reason, prescription_uids: [] })
    ).pipe(Effect.flatMap(print))
  )
).pipe(
  Command.withDescription(
    "Erase a patient, and print what was erased and what the law has you keep. It cannot be undone"
  )
)

const lift = Options.boolean("lift").pipe(Options.withDescription("Lift the restriction"))
const restrict = Command.make("restrict", { organisation, patient, lift }, ({ organisation, patient, lift }) =>
  withServices(
    Effect.flatMap(PatientRecords, (patients) => patients.restrict(organisation, patient, !lift)).pipe(
      Effect.flatMap(({ restricted_at }) =>
        Console.log(restricted_at === null ? "The data is used again." : "The data is stored only and not used.")
      )
    )
  )
).pipe(Command.withDescription("Have a patient's data stored only and not used, or with --lift used again"))

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

const kept = Command.make("kept", { organisation, patient }, ({ organisation, patient }) =>
  withServices(Effect.flatMap(Erasures, (erasures) => Effect.flatMap(erasures.retained(organisation, patient), print)))
).pipe(Command.withDescription("Print what the law has the organisation keep of an erased patient, opened"))

const erasures = Command.make("erasures", {}, () =>
  withServices(
    Effect.gen(function* () {
      const written = new Date() // real time: compared with the moment of a restore
      const { list } = yield* Erasures
      for (const line of linesOf(yield* list, written)) yield* Console.log(line)
    })
  )
).pipe(
  Command.withDescription(
    "Print the list of erasures, one JSON object a line, and last when it was written: keep it beside your backups"
  )
)

const file = Args.file({ name: "list", exists: "yes" }).pipe(
  Args.withDescription("A list that `patients erasures` printed; a restored database's own lacks what was erased since")
)
const reapply = Command.make("reapply-erasures", { file }, ({ file }) =>
  withServices(
    Effect.gen(function* () {
      const { reapply } = yield* Erasures
      const { erasures: list } = yield* readErasureList(file)
      const found = yield* reapply(list, actor)
      yield* Console.log(
        `${list.length} erasures in the list, ${found} applied; of the others the database has no patient.`
      )
    })
  )
).pipe(
  Command.withDescription("Erase again who was erased since a backup that was restored, before the service starts")
)

export const patientsCommand = Command.make("patients").pipe(
  Command.withDescription("Patients' rights: export, rectification, restriction, erasure, consents"),
  Command.withSubcommands([exported, rectify, restrict, consents, withdraw, erase, kept, erasures, reapply])
)
