import { createHash } from "node:crypto"
import { Effect, Layer } from "effect"
import { Payments, type RouteRequest } from "../../../services/pharmacy/Payments.ts"

/** The id is derived from the idempotency key, so a repeated request returns the same route without stored state. */
const routeOf = ({ idempotency_key }: RouteRequest) => ({
  provider_route_id: `crt_${createHash("sha256").update(idempotency_key).digest("base64url").slice(0, 22)}`
})

/** Simulated payments for development: every route succeeds and no money moves. */
export const EmbeddedPayments = Layer.succeed(Payments, {
  limits: { days: null },
  route: (request) => Effect.succeed(routeOf(request)),
  find: () => Effect.succeedNone
})
