/** Webhooks by HTTP: to the address that was examined and no other, one answer read in bounds, no redirects. */
import { type IncomingMessage, request as overHttp } from "node:http"
import { request as overHttps, type RequestOptions } from "node:https"
import { Clock, type Duration, Effect, Layer } from "effect"
import { retryAfterSeconds } from "../../services/events/retries.ts"
import {
  AddressRefused,
  type WebhookAnswer,
  type WebhookRequest,
  WebhookSender
} from "../../services/events/WebhookSender.ts"
import {
  type Address,
  destinations,
  PRIVATE,
  type Resolve,
  resolveBySystem,
  type Unresolvable,
  wellFormed
} from "./addresses.ts"

export interface WebhookSettings {
  /** Whether addresses in private and loopback ranges may be used. */
  readonly allowPrivate: boolean
  /** Ports that may be used; any when it is absent. */
  readonly ports?: ReadonlyArray<number>
  readonly timeout?: Duration.DurationInput
  /** Name resolution; the system's unless a test has names of its own. */
  readonly resolve?: Resolve
  /** Certificate authorities beside the system's. */
  readonly ca?: string
}

/** Bytes of an answer's body that are read; its content is not used. */
const MOST_BODY = 64 * 1024
const LONGEST_BODY_MILLIS = 1_000
const LONGEST_URL = 2048

export const layer = (settings: WebhookSettings) =>
  Layer.succeed(WebhookSender, WebhookSender.of({ examine: examine(settings), send: send(settings) }))

const portOf = ({ port, protocol }: URL) => (port === "" ? (protocol === "https:" ? 443 : 80) : Number(port))

/** The address, if its form and its port are allowed. */
const allowed = (text: string, ports: ReadonlyArray<number> | undefined) =>
  Effect.filterOrFail(
    wellFormed(text),
    (url) => ports === undefined || ports.includes(portOf(url)),
    () => new AddressRefused({ reason: `must use port ${ports?.join(" or ")}` })
  )

const examine =
  ({ allowPrivate, ports, resolve = resolveBySystem }: WebhookSettings) =>
  (text: string) =>
    text.length > LONGEST_URL
      ? new AddressRefused({ reason: `must be at most ${LONGEST_URL} characters` })
      : allowed(text, ports).pipe(
          Effect.flatMap((url) => destinations(url, resolve, allowPrivate)),
          // Where private names may be used, one that does not resolve now may later; every delivery resolves it again
          Effect.catchTag("Unresolvable", () => (allowPrivate ? Effect.void : new AddressRefused({ reason: PRIVATE }))),
          Effect.asVoid
        )

const send =
  ({ allowPrivate, ports, resolve = resolveBySystem, timeout = "15 seconds", ca }: WebhookSettings) =>
  (request: WebhookRequest): Effect.Effect<WebhookAnswer> =>
    Effect.gen(function* () {
      const started = yield* Clock.currentTimeMillis
      const outcome = yield* allowed(request.url, ports).pipe(
        Effect.flatMap((url) =>
          Effect.flatMap(destinations(url, resolve, allowPrivate), (at) => post(url, at, request, ca))
        ),
        Effect.timeoutFail({ duration: timeout, onTimeout: () => new Unanswered("timeout") }),
        Effect.catchAll((reason) => Effect.succeed(unanswered(reason)))
      )
      const ended = yield* Clock.currentTimeMillis
      const retry_after_seconds = retryAfterSeconds(outcome.retryAfter, ended)
      return { status_code: outcome.status, latency_ms: ended - started, error: outcome.error, retry_after_seconds }
    }).pipe(Effect.withSpan("WebhookSender.send", { kind: "client" }))

interface Outcome {
  readonly status: number | null
  readonly error: string | null
  readonly retryAfter: string | undefined
}

class Unanswered {
  readonly _tag = "Unanswered"
  constructor(readonly code: string) {}
}

const unanswered = (reason: Unanswered | Unresolvable | AddressRefused): Outcome => ({
  status: null,
  error:
    reason._tag === "AddressRefused"
      ? reason.reason
      : reason._tag === "Unresolvable"
        ? `dns ${reason.code}`
        : reason.code,
  retryAfter: undefined
})

/** The socket goes to one of the given addresses; the name is still in the Host header and in the TLS handshake. */
const post = (url: URL, at: ReadonlyArray<Address>, { headers, body }: WebhookRequest, ca: string | undefined) =>
  Effect.async<Outcome, Unanswered>((resume) => {
    const options: RequestOptions = {
      method: "POST",
      agent: false,
      headers: { ...headers, "content-length": Buffer.byteLength(body) },
      lookup: (_host, { all }, answer) => {
        const [first] = at
        if (all) answer(null, [...at])
        else answer(null, first?.address ?? "", first?.family)
      },
      ...(ca !== undefined && { ca })
    }
    const request = (url.protocol === "https:" ? overHttps : overHttp)(url, options, (response) => {
      const status = response.statusCode ?? 0
      const accepted = status >= 200 && status < 300
      const answer = {
        status,
        error: accepted ? null : `status ${status}`,
        retryAfter: response.headers["retry-after"]
      }
      drain(response, () => resume(Effect.succeed(answer)))
    })
    request.on("error", (error: NodeJS.ErrnoException) => resume(Effect.fail(new Unanswered(error.code ?? error.name))))
    request.end(body)
    return Effect.sync(() => request.destroy())
  })

/** Reads what little there is and lets go of the connection; the status counts, however the body goes on. */
const drain = (response: IncomingMessage, done: () => void) => {
  const patience = setTimeout(() => response.destroy(), LONGEST_BODY_MILLIS)
  let read = 0
  response.on("data", (chunk: Buffer) => {
    read += chunk.byteLength
    if (read > MOST_BODY) response.destroy()
  })
  response.on("error", done)
  response.on("close", () => {
    clearTimeout(patience)
    done()
  })
}
