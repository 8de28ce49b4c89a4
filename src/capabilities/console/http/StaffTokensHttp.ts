import { HttpServerResponse } from "@effect/platform"
import { Effect, Layer, Option } from "effect"
import { groupOf } from "../../../http/group.ts"
import { Unauthenticated } from "../../../schemas/problems.ts"
import { StaffTokens } from "../services/StaffTokens.ts"
import { ConsoleApi } from "./ConsoleApi.ts"
import { Sessions } from "./serving/session.ts"

export const StaffTokensHttp = groupOf(ConsoleApi)("staff.tokens", (handlers) =>
  Effect.zipWith(Sessions, StaffTokens, (sessions, tokens) =>
    handlers.handle("create", () =>
      Effect.gen(function* () {
        const found = yield* sessions.current
        if (Option.isNone(found)) return yield* new Unauthenticated({ reason: "Sign in to the console first" })
        const made = yield* tokens.issue(found.value.session)
        return HttpServerResponse.unsafeJson(made, { status: 201 })
      })
    )
  )
).pipe(Layer.provide([Sessions.Default, StaffTokens.Default]))
