/** At start: the file that PROVISION_FILE names, or the demo world into an empty database. */
import { FileSystem } from "@effect/platform"
import { Effect, Layer } from "effect"
import { Settings } from "../../config.ts"
import { DomainClock } from "../../services/DomainClock.ts"
import { ProvisioningRejected } from "../../services/provisioning/entry.ts"
import { Provisioning } from "../../services/provisioning/Provisioning.ts"
import { acrossTenants, asRequest, serviceRequest } from "../../services/Tenancy.ts"
import { demoWorld } from "./world.ts"

const readFile = Effect.fnUntraced(function* (path: string) {
  const files = yield* FileSystem.FileSystem
  const text = yield* files.readFileString(path)
  return yield* Effect.try({
    try: (): unknown => JSON.parse(text),
    catch: () => new ProvisioningRejected({ faults: [`${path}: is not well-formed JSON`] })
  })
})

const provision = Effect.gen(function* () {
  const { provisionFile, demoWorld: wanted } = yield* Settings
  const provisioning = yield* Provisioning
  if (provisionFile !== undefined) return yield* provisioning.apply(yield* readFile(provisionFile))
  if (!wanted || !(yield* provisioning.isEmpty)) return
  const now = yield* Effect.flatMap(DomainClock, (clock) => clock.now)
  yield* provisioning.apply(demoWorld(now))
  yield* Effect.logInfo("provisioned the demo world")
})

export const ProvisionedLive = Layer.effectDiscard(
  acrossTenants(provision).pipe(asRequest(serviceRequest("provisioning")))
).pipe(Layer.provide([DomainClock.Default, Provisioning.Default]))
