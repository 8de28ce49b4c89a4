/** The operator's commands of patients' rights. */
import { Console, Effect, Schema } from "effect"
import { addedCommand } from "../../../declarations.ts"
import { type Actor, system } from "../../../schemas/access/Actor.ts"
import { OrganisationUid, PatientUid } from "../../../schemas/ids.ts"
import { currentTenancy } from "../../../services/tenancy/Tenancy.ts"
import { lastLine, readDatedList } from "../../shared/services/datedList.ts"
import { PatientRecords } from "../../shared/services/patients/PatientRecords.ts"
import { PatientExport as Exported } from "../schemas/PatientRights.ts"
import { Erasures } from "./Erasures.ts"
import { Erasure } from "./ErasuresRepo.ts"
import { PatientExport } from "./PatientExport.ts"
import { documentOf } from "./readable.ts"

const group = "patients"
const args = { patient: PatientUid }
const options = { organisation: { description: "The organisation's uid", schema: OrganisationUid } }

const printed = (json: unknown) => JSON.stringify(json, null, 2)

/** Who runs the command. */
const operator = Effect.map(
  currentTenancy,
  ({ request }): Actor => (request === null ? system : { kind: "operator", uid: request.actor.uid })
)

const encodeLine = Schema.encodeSync(Schema.parseJson(Erasure))
const decodeLine = Schema.decodeUnknown(Schema.parseJson(Erasure))

export const rightsCommands = [
  addedCommand({
    group,
    name: "export",
    description: "Print all that is kept of a patient; addresses of files hold for five minutes",
    args,
    options: {
      ...options,
      html: { description: "A page to read and print instead of JSON", schema: Schema.Boolean, isFlag: true }
    },
    run: ({ organisation, patient, html }) =>
      Effect.gen(function* () {
        const found = yield* (yield* PatientExport).make(organisation, patient, yield* operator)
        return html ? [...documentOf(found)].join("") : printed(yield* Schema.encode(Exported)(found))
      }).pipe(Effect.provide(PatientExport.Default))
  }),
  addedCommand({
    group,
    name: "erase",
    description: "Erase a patient, and print what was erased and what the law has you keep. It cannot be undone",
    args,
    options: { ...options, reason: { description: "Why; kept sealed", schema: Schema.String } },
    run: ({ organisation, patient, reason }) =>
      Effect.gen(function* () {
        const { erase } = yield* Erasures
        return printed(yield* erase(organisation, patient, yield* operator, { reason, prescription_uids: [] }))
      }).pipe(Effect.provide(Erasures.Default))
  }),
  addedCommand({
    group,
    name: "restrict",
    description: "Have a patient's data stored only and not used, or with --lift used again",
    args,
    options: { ...options, lift: { description: "Lift the restriction", schema: Schema.Boolean, isFlag: true } },
    run: ({ organisation, patient, lift }) =>
      Effect.flatMap(PatientRecords, (patients) => patients.restrict(organisation, patient, !lift)).pipe(
        Effect.map(({ restricted_at }) =>
          restricted_at === null ? "The data is used again." : "The data is stored only and not used."
        ),
        Effect.provide(PatientRecords.Default)
      )
  }),
  addedCommand({
    group,
    name: "kept",
    description: "Print what the law has the organisation keep of an erased patient, opened",
    args,
    options,
    run: ({ organisation, patient }) =>
      Effect.flatMap(Erasures, (erasures) => erasures.retained(organisation, patient)).pipe(
        Effect.map(printed),
        Effect.provide(Erasures.Default)
      )
  }),
  addedCommand({
    group,
    name: "erasures",
    description:
      "Print the list of erasures, one JSON object a line, and last when it was written: keep it beside your backups",
    run: () =>
      Effect.gen(function* () {
        const written = new Date() // real time: compared with the moment of a restore
        const { list } = yield* Erasures
        for (const one of yield* list) yield* Console.log(encodeLine(one))
        return lastLine(written)
      }).pipe(Effect.provide(Erasures.Default))
  }),
  addedCommand({
    group,
    name: "reapply-erasures",
    description: "Erase again who was erased since a backup that was restored, before the service starts",
    args: {
      list: Schema.String.annotations({
        description: "A list that `patients erasures` printed; a restored database's own lacks what was erased since"
      })
    },
    run: (given) =>
      Effect.gen(function* () {
        const { lines } = yield* readDatedList(given.list)
        const list = yield* Effect.forEach(lines, (line) => decodeLine(line))
        const found = yield* (yield* Erasures).reapply(list, yield* operator)
        return `${list.length} erasures in the list, ${found} applied; of the others the database has no patient.`
      }).pipe(Effect.provide(Erasures.Default))
  })
]
