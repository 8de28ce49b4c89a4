/** Provisions the demo world into an empty installation, and lets something happen in it. */
import { Effect, type Layer } from "effect"
import type { Settings } from "../../../../config.ts"
import { DomainClock } from "../../../../services/DomainClock.ts"
import type { Extensions } from "../../../../services/Extensions.ts"
import { Provisioning } from "../../../shared/services/provisioning/Provisioning.ts"
import { live, type livedServices } from "./practice/Lived.ts"
import { ordersWorld } from "./practice/orders.ts"
import { appointmentsOf, practiceWorld } from "./practice/practice.ts"
import { demoWorld } from "./world.ts"

export const demoWorldFilled = Effect.gen(function* () {
  const provisioning = yield* Provisioning
  const clock = yield* DomainClock
  const services = yield* Effect.context<Layer.Layer.Success<typeof livedServices> | Settings | Extensions>()
  return Effect.gen(function* () {
    yield* provisioning.apply(demoWorld())
    const now = yield* clock.now
    yield* provisioning.apply({ ...practiceWorld(now), ...ordersWorld(now) })
    const left = yield* Effect.provide(live(appointmentsOf(now), now), services)
    yield* Effect.logInfo("provisioned the demo world")
    return left
  }).pipe(Effect.orDie)
})
