/** Files from which an installation's records are made, at start and by commands. Section 12.4, docs/provisioning.md. */
import { Effect, Ref } from "effect"
import { capability } from "../../capability.ts"
import { extension } from "../../services/Extensions.ts"
import { Provisioning } from "../shared/services/provisioning/Provisioning.ts"
import { atStart } from "./services/atStart.ts"
import { organisationCommand } from "./services/organisationCommand.ts"
import { provisionCommand } from "./services/provisionCommand.ts"

export const provisioningCapability = capability({
  name: "provisioning",
  switched: false,
  services: Provisioning.Default,
  commands: [provisionCommand, organisationCommand],
  extension: Effect.gen(function* () {
    const services = yield* Effect.context<Effect.Effect.Context<typeof atStart>>()
    const left = yield* Ref.make(Effect.void)
    return extension({
      onStart: Effect.flatMap(atStart, ({ afterwards }) => Ref.set(left, afterwards)).pipe(Effect.provide(services)),
      whileServing: Effect.flatMap(Ref.get(left), Effect.forkScoped)
    })
  })
})
