/** The operator's commands that change keys. */
import { Console, Effect } from "effect"
import { addedCommand, commandGroup } from "../../../declarations.ts"
import { OrganisationUid } from "../../../schemas/ids.ts"
import { DataKeyRotation, PROPAGATION } from "./DataKeyRotation.ts"
import { MasterKeyRotation } from "./MasterKeyRotation.ts"

const counts = (of: { readonly values: number; readonly files: number }) =>
  `${of.values} values and ${of.files} files sealed again`

export const rotateKeyCommand = addedCommand({
  group: "organisations",
  name: "rotate-key",
  description: "Seal an organisation's (or a pharmacy's) texts and files again under a new key; the service may run",
  args: { ORGANISATION_UID: OrganisationUid },
  run: ({ ORGANISATION_UID }) =>
    Effect.gen(function* () {
      const { begin, finish } = yield* DataKeyRotation
      yield* Console.log(`${counts(yield* begin(ORGANISATION_UID))}; two minutes until every process has the new key …`)
      yield* Effect.sleep(PROPAGATION)
      const done = yield* finish(ORGANISATION_UID)
      return `${counts(done)}; ${done.deleted} earlier keys deleted.`
    }).pipe(Effect.provide(DataKeyRotation.Default))
})

export const secretsCommand = commandGroup({
  name: "secrets",
  description: "Secrets at rest",
  below: [
    addedCommand({
      name: "rotate-master-key",
      description:
        "Seal every secret again under MASTER_KEY. Before: set the new MASTER_KEY and the old one as MASTER_KEY_PREVIOUS, for every replica",
      run: () =>
        Effect.gen(function* () {
          const count = yield* (yield* MasterKeyRotation).resealAll()
          return `${count} secrets sealed again; MASTER_KEY_PREVIOUS is needed no more.`
        }).pipe(Effect.provide(MasterKeyRotation.Default))
    })
  ]
})
