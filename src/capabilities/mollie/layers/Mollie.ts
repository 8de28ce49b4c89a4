/**
 * Mollie's delayed routing: transfers parts of a paid payment to connected organisations. `POST` and `GET
 * /v2/payments/{id}/routes`. An operation whose answer is lost is repeated with its idempotency key, and looked up.
 */
import { FetchHttpClient, HttpClient, HttpClientRequest, HttpClientResponse } from "@effect/platform"
import { Effect, Layer, Option, type Redacted, Schema } from "effect"
import { outgoing } from "../../../services/outgoing.ts"
import {
  Payments,
  type PaymentsShape,
  PaymentsUnavailable,
  RouteRefused,
  type RouteRequest
} from "../../../services/pharmacy/Payments.ts"

export interface MollieOptions {
  readonly apiKey: Redacted.Redacted<string>
  /** Base URL of the API. Default: Mollie's; tests pass their own. */
  readonly apiEndpoint?: string
  /** Time-out of an operation in seconds, after which its outcome is unknown. Default 20. */
  readonly seconds?: number
}

const call = outgoing({ to: "payment provider, for a payout", seconds: 20, bytes: 1_000_000, atOnce: 16, ofOwner: 4 })

const Route = Schema.Struct({ id: Schema.String, description: Schema.optional(Schema.NullOr(Schema.String)) })
const Page = Schema.Struct({
  _embedded: Schema.Struct({ routes: Schema.Array(Route) }),
  _links: Schema.optional(
    Schema.Struct({ next: Schema.optional(Schema.NullOr(Schema.Struct({ href: Schema.String }))) })
  )
})
const Problem = Schema.Struct({ detail: Schema.String })

/** Statuses that are final for a request: it is invalid, or its payment cannot be routed. */
const finalStatuses: ReadonlySet<number> = new Set([400, 404, 410, 422])

const unavailable = (reason: string) => new PaymentsUnavailable({ reason: `Mollie: ${reason}` })

const refusal = ({ status, json }: HttpClientResponse.HttpClientResponse) =>
  json.pipe(
    Effect.flatMap(Schema.decodeUnknown(Problem)),
    Effect.match({ onFailure: () => "no reason", onSuccess: ({ detail }) => detail }),
    Effect.flatMap((detail): Effect.Effect<never, RouteRefused | PaymentsUnavailable> => {
      const reason = `Mollie ${status}: ${detail}`
      return finalStatuses.has(status) ? new RouteRefused({ reason }) : new PaymentsUnavailable({ reason })
    })
  )

/** Validates the id, which becomes part of an address. */
const paymentOf = ({ payment_id }: RouteRequest): Effect.Effect<string, RouteRefused> =>
  payment_id === null
    ? Effect.fail(new RouteRefused({ reason: "the order has no payment" }))
    : /^tr_[A-Za-z0-9]+$/.test(payment_id)
      ? Effect.succeed(payment_id)
      : Effect.fail(new RouteRefused({ reason: "the order's payment is not one of Mollie's" }))

/** Cents to Mollie's decimal string. */
const decimal = (cents: number): string => `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, "0")}`

export const molliePayments = ({ apiKey, apiEndpoint = "https://api.mollie.com/v2/", seconds }: MollieOptions) =>
  Effect.map(HttpClient.HttpClient, (client): PaymentsShape => {
    const send = <A, I>(request: HttpClientRequest.HttpClientRequest, answer: Schema.Schema<A, I>) =>
      client.execute(HttpClientRequest.bearerToken(request, apiKey)).pipe(
        Effect.filterOrElse(({ status }) => status < 300, refusal),
        Effect.flatMap(HttpClientResponse.schemaBodyJson(answer)),
        Effect.catchTags({
          RequestError: ({ reason }) => unavailable(reason),
          ResponseError: ({ reason }) => unavailable(reason),
          ParseError: () => unavailable("an answer of another shape than documented")
        })
      )
    const bounded = call(() => unavailable("no answer in time"), { seconds })
    const base = apiEndpoint.replace(/\/?$/, "/")
    const routesOf = (payment: string) => `${base}payments/${payment}/routes`

    const create = (payment: string, { amount, currency, description, ...request }: RouteRequest) =>
      HttpClientRequest.post(routesOf(payment), { headers: { "idempotency-key": request.idempotency_key } }).pipe(
        HttpClientRequest.bodyUnsafeJson({
          amount: { currency, value: decimal(amount) },
          description,
          destination: { type: "organization", organizationId: request.payment_account }
        }),
        (post) => send(post, Route),
        Effect.map(({ id }) => ({ provider_route_id: id }))
      )

    const search = Effect.fnUntraced(function* (payment: string, { description }: RouteRequest) {
      let next: string | undefined = `${routesOf(payment)}?limit=128`
      while (next !== undefined) {
        // The key is sent to Mollie alone, whatever an answer says
        if (new URL(next, base).origin !== new URL(base).origin) return yield* unavailable("a next page elsewhere")
        const page: typeof Page.Type = yield* send(HttpClientRequest.get(next), Page)
        const found = page._embedded.routes.find((route) => route.description === description)
        if (found !== undefined) return Option.some({ provider_route_id: found.id })
        next = page._links?.next?.href
      }
      return Option.none()
    })

    return {
      limits: { days: 90 },
      route: (request) => Effect.flatMap(paymentOf(request), (payment) => bounded(create(payment, request))),
      find: (request) => Effect.flatMap(paymentOf(request), (payment) => bounded(search(payment, request)))
    }
  })

/** The layer for `MOLLIE_API_KEY`. */
export const mollieLayer = (options: MollieOptions) =>
  Layer.provide(Layer.effect(Payments, molliePayments(options)), FetchHttpClient.layer)
