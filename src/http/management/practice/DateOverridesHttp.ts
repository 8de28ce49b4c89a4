import { Effect, Layer } from "effect"
import { DateOverrides } from "../../../services/scheduling/practice/DateOverrides.ts"
import { Conditional } from "../../conditional.ts"
import { group } from "../../group.ts"
import { below, byKey } from "../../records.ts"
import { doctorOf, overrideHandling } from "./kinds.ts"

export const DateOverridesHttp = group("management.date_overrides", (handlers) =>
  Effect.gen(function* () {
    const service = yield* DateOverrides
    const overrides = overrideHandling(service, yield* Conditional, below(byKey, doctorOf), "override_uid")
    return handlers
      .handle("list", overrides.list)
      .handle("create", overrides.create(service.create))
      .handle("update", overrides.update(service.update))
      .handle("remove", overrides.remove(service.remove))
  })
).pipe(Layer.provide(DateOverrides.Default))
