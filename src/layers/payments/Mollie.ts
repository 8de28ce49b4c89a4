import createMollieClient, { type MollieClient } from "@mollie/api-client"
import { type Duration, Effect, Layer, Option, Predicate, Redacted } from "effect"
import {
  Payments,
  type PaymentsShape,
  PaymentsUnavailable,
  type RouteRefused as Refused,
  RouteRefused,
  type RouteRequest
} from "../../services/pharmacy/Payments.ts"

export interface MollieOptions {
  readonly apiKey: Redacted.Redacted<string>
  /** Base URL of the API. Default: Mollie's; tests pass their own. */
  readonly apiEndpoint?: string
  /** Time-out of an operation, after which its outcome is unknown. Default 20 seconds. */
  readonly timeout?: Duration.DurationInput
}

/** Mollie's delayed routing: transfers parts of a paid payment to connected organisations. */
export const molliePayments = ({ apiKey, apiEndpoint, timeout = "20 seconds" }: MollieOptions): PaymentsShape => {
  const client = createMollieClient({
    apiKey: Redacted.value(apiKey),
    ...(apiEndpoint !== undefined && { apiEndpoint })
  })
  return {
    limits: { days: 90 },
    route: (request) =>
      Effect.flatMap(paymentOf(request), (paymentId) => attempt(timeout, () => create(client, paymentId, request))),
    find: (request) =>
      Effect.flatMap(paymentOf(request), (paymentId) => attempt(timeout, () => search(client, paymentId, request)))
  }
}

/** The layer for `MOLLIE_API_KEY`. */
export const mollieLayer = (options: MollieOptions) => Layer.sync(Payments, () => molliePayments(options))

const create = async (client: MollieClient, paymentId: string, request: RouteRequest) => {
  const route = await client.paymentRoutes.create({
    paymentId,
    amount: { currency: request.currency, value: decimal(request.amount) },
    description: request.description,
    destination: { type: "organization", organizationId: request.payment_account },
    idempotencyKey: request.idempotency_key
  })
  return { provider_route_id: route.id }
}

const search = async (client: MollieClient, paymentId: string, request: RouteRequest) => {
  for await (const route of client.paymentRoutes.iterate({ paymentId })) {
    if (route.description === request.description) return Option.some({ provider_route_id: route.id })
  }
  return Option.none()
}

/** Validates the id, since the client's own error for an invalid one looks like a broken connection. */
const paymentOf = ({ payment_id }: RouteRequest): Effect.Effect<string, Refused> =>
  payment_id === null
    ? Effect.fail(new RouteRefused({ reason: "the order has no payment" }))
    : /^tr_[A-Za-z0-9]+$/.test(payment_id)
      ? Effect.succeed(payment_id)
      : Effect.fail(new RouteRefused({ reason: "the order's payment is not one of Mollie's" }))

/** Cents to Mollie's decimal string. */
const decimal = (cents: number): string => `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, "0")}`

/**
 * The client retries 5xx responses itself and cannot be interrupted, so a request may still arrive after the time-out. The
 * fixed idempotency key makes that harmless.
 */
const attempt = <A>(timeout: Duration.DurationInput, call: () => Promise<A>) =>
  Effect.tryPromise({ try: call, catch: toOutcome }).pipe(
    Effect.timeoutFail({
      duration: timeout,
      onTimeout: () => new PaymentsUnavailable({ reason: "Mollie did not answer in time" })
    })
  )

/** Statuses that are final for a request: it is invalid, or its payment cannot be routed. */
const finalStatuses: ReadonlySet<number> = new Set([400, 404, 410, 422])

const toOutcome = (error: unknown): RouteRefused | PaymentsUnavailable => {
  const reason = error instanceof Error ? error.message : "an unknown error"
  const status = Predicate.hasProperty(error, "statusCode") ? error.statusCode : undefined
  if (typeof status === "number" && finalStatuses.has(status))
    return new RouteRefused({ reason: `Mollie ${status}: ${reason}` })
  return new PaymentsUnavailable({ reason: `Mollie${typeof status === "number" ? ` ${status}` : ""}: ${reason}` })
}
