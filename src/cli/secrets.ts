import { Command } from "@effect/cli"
import { Console, Effect } from "effect"
import { MasterKeyRotation } from "../services/sealing/MasterKeyRotation.ts"
import { withServices } from "./services.ts"

const rotate = Command.make("rotate-master-key", {}, () =>
  withServices(
    Effect.flatMap(MasterKeyRotation, ({ resealAll }) => resealAll()).pipe(
      Effect.flatMap((count) => Console.log(`${count} secrets sealed again; MASTER_KEY_PREVIOUS is needed no more.`))
    )
  )
).pipe(
  Command.withDescription(
    "Seal every secret again under MASTER_KEY. Before: set the new MASTER_KEY and the old one as MASTER_KEY_PREVIOUS, " +
      "for every replica"
  )
)

export const secretsCommand = Command.make("secrets").pipe(
  Command.withDescription("Secrets at rest"),
  Command.withSubcommands([rotate])
)
