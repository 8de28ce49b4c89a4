import { HttpBody, HttpClient, HttpClientRequest, type HttpClientResponse } from "@effect/platform"
import { Data, Duration, Effect, Random, Redacted, Schema } from "effect"
import { StorefrontUnavailable } from "../../../schemas/checkout/storefrontProblems.ts"
import { truncate } from "../../../schemas/fields.ts"
import { outgoing, within } from "../../../services/outgoing.ts"

/** A GraphQL document with the schema of its response. */
export interface Operation<A, I = unknown> {
  readonly document: string
  readonly answer: Schema.Schema<A, I>
}

export interface GraphqlEndpoint {
  readonly url: string
  readonly token_header: string
  readonly token: Redacted.Redacted
}

export type Ask = <A, I>(
  operation: Operation<A, I>,
  variables: Record<string, unknown>
) => Effect.Effect<A, StorefrontUnavailable>

const Cost = Schema.Struct({
  requestedQueryCost: Schema.optional(Schema.NullOr(Schema.Number)),
  throttleStatus: Schema.optional(
    Schema.NullOr(Schema.Struct({ currentlyAvailable: Schema.Number, restoreRate: Schema.Number }))
  )
})

const Answer = Schema.Struct({
  data: Schema.optional(Schema.NullOr(Schema.Unknown)),
  errors: Schema.optional(
    Schema.Array(
      Schema.Struct({
        message: Schema.String,
        extensions: Schema.optional(Schema.Struct({ code: Schema.optional(Schema.String) }))
      })
    )
  ),
  extensions: Schema.optional(Schema.Struct({ cost: Schema.optional(Schema.NullOr(Cost)) }))
})
type Answer = typeof Answer.Type

/** Shopify did not run the document and asks to wait: the only failure after which any document may be retried. */
class Throttled extends Data.TaggedError("Throttled")<{ readonly wait: Duration.Duration }> {}

const ATTEMPTS = 6
/** Bytes of a response. The largest documents return about 100 KB. */
export const ANSWER_MAX = 1024 * 1024
const call = outgoing({
  to: "shop's interface, one request of a checkout",
  seconds: 20,
  bytes: ANSWER_MAX,
  atOnce: 128,
  ofOwner: 16,
  ofAddress: 8
})
/** Seconds of all attempts and delays together. */
const DEADLINE = 60
/** Longest delay, whatever the shop asks for; by then its bucket is full again. */
const DELAY_MAX = Duration.seconds(20)
const unavailable = (detail: string) => new StorefrontUnavailable({ detail })

/** Time until the bucket holds the query's cost; 0 if Shopify does not return it. */
const refill = (answer: Answer): Duration.Duration => {
  const cost = answer.extensions?.cost
  const status = cost?.throttleStatus
  if (!status || !cost?.requestedQueryCost || status.restoreRate <= 0) return Duration.zero
  return Duration.seconds(Math.max(0, (cost.requestedQueryCost - status.currentlyAvailable) / status.restoreRate))
}

const retryAfter = (response: HttpClientResponse.HttpClientResponse): Duration.Duration => {
  const seconds = Number(response.headers["retry-after"])
  return Number.isFinite(seconds) && seconds > 0 ? Duration.seconds(seconds) : Duration.zero
}

const readAnswer = (response: HttpClientResponse.HttpClientResponse) =>
  response.text.pipe(
    Effect.flatMap(Schema.decodeUnknown(Schema.parseJson(Answer))),
    Effect.mapError(() => unavailable("an answer that is no GraphQL"))
  )

const interpret = Effect.fn("shopify.interpret")(function* <A, I>(
  operation: Operation<A, I>,
  response: HttpClientResponse.HttpClientResponse
) {
  if (response.status === 429) return yield* new Throttled({ wait: retryAfter(response) })
  if (response.status !== 200) return yield* unavailable(`status ${response.status}`)
  const answer = yield* readAnswer(response)
  const codes = (answer.errors ?? []).map((error) => error.extensions?.code ?? error.message)
  if (codes.includes("THROTTLED")) return yield* new Throttled({ wait: refill(answer) })
  if (codes.length > 0) return yield* unavailable(`GraphQL errors: ${truncate(codes.slice(0, 100).join(", "))}`)
  return yield* Schema.decodeUnknown(operation.answer)(answer.data).pipe(
    Effect.mapError(() => unavailable("an answer of another shape than asked for"))
  )
})

/** Delay before a retry: what Shopify asks for, up to 20 seconds, at least 0.25 s, 0.5 s, 1 s …, times a jitter of 1 to 1.5. */
const retryDelay = (asked: Duration.Duration, attempt: number) =>
  Effect.flatMap(Random.nextRange(1, 1.5), (spread) =>
    Effect.sleep(
      Duration.times(
        Duration.clamp(asked, { minimum: Duration.millis(125 * 2 ** attempt), maximum: DELAY_MAX }),
        spread
      )
    )
  )

/**
 * Sends documents to one Shopify endpoint. Throttled requests (429, or `THROTTLED` in a 200) are retried. After any other
 * failure the outcome is unknown, so the document is not sent again; the caller decides.
 */
export const makeAsk = (client: HttpClient.HttpClient, endpoint: GraphqlEndpoint): Ask => {
  // The client's own span would contain the token's header
  const quiet = HttpClient.withTracerDisabledWhen(client, () => true)
  const send = (body: HttpBody.HttpBody) =>
    quiet
      .execute(
        HttpClientRequest.post(endpoint.url).pipe(
          HttpClientRequest.setHeader(endpoint.token_header, Redacted.value(endpoint.token)),
          HttpClientRequest.acceptJson,
          HttpClientRequest.setBody(body)
        )
      )
      .pipe(Effect.mapError((error) => unavailable(error.description ?? error.reason)))
  const attempt = <A, I>(
    operation: Operation<A, I>,
    body: HttpBody.HttpBody,
    nth: number
  ): Effect.Effect<A, StorefrontUnavailable> =>
    send(body).pipe(
      Effect.flatMap((response) => interpret(operation, response)),
      call(() => unavailable("no answer in time"), { address: endpoint.url }),
      Effect.catchTag("Throttled", ({ wait }) =>
        nth >= ATTEMPTS
          ? Effect.fail(unavailable("throttled for too long"))
          : Effect.zipRight(retryDelay(wait, nth), attempt(operation, body, nth + 1))
      )
    )
  return (operation, variables) =>
    Effect.orDie(HttpBody.json({ query: operation.document, variables })).pipe(
      Effect.flatMap((body) => attempt(operation, body, 1)),
      within(DEADLINE, () => unavailable("throttled for too long")),
      Effect.withSpan("shopify.ask")
    )
}
