import { Effect } from "effect"
import { Provisioning } from "../../../src/capabilities/shared/services/provisioning/Provisioning.ts"
import type { TestLayers } from "../../support/server.ts"

/** Applies a file; its faults, none if it was applied. */
export const faultsOf = ({ run }: TestLayers, file: unknown): Promise<ReadonlyArray<string>> =>
  run(
    Effect.flatMap(Provisioning, ({ apply }) => apply(file)).pipe(
      Effect.as([]),
      Effect.catchTag("ProvisioningRejected", ({ faults }) => Effect.succeed(faults))
    )
  )
