/** Requests to providers of calendars, and what their answers mean for all of them. */
import { HttpBody, type HttpClient, HttpClientRequest, type HttpMethod } from "@effect/platform"
import { Effect, Schema } from "effect"
import { outgoing } from "../../../../services/outgoing.ts"
import { ProviderFailed, type Tokens } from "../../services/connections/CalendarProviders.ts"

const call = outgoing({
  to: "providers of doctors' calendars",
  seconds: 15,
  bytes: 10_000_000,
  atOnce: 32,
  ofOwner: 8,
  ofAddress: 4
})

export interface Sent {
  readonly bearer?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly json?: unknown
  readonly form?: Readonly<Record<string, string>>
  readonly text?: string
}
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly text: string
}

const unreachable = () => new ProviderFailed({ reason: "unreachable" })
/** Seconds of `Retry-After`, a number or a date; a minute without one. */
const waitOf = (header: string | undefined) => {
  const seconds = Number(header ?? "60")
  const wanted = Number.isNaN(seconds) ? (Date.parse(header ?? "") - Date.now()) / 1000 : seconds
  return Number.isFinite(wanted) ? Math.min(Math.max(Math.ceil(wanted), 1), 86_400) : 60
}

/** Fails for answers that mean the same whatever was asked. */
const checked = (answer: Answer): Effect.Effect<Answer, ProviderFailed> => {
  const { status, headers, text } = answer
  const isQuota = status === 403 && /rateLimit|quota|userRateLimit/i.test(text)
  if (status === 429 || isQuota || (status === 503 && headers["retry-after"] !== undefined))
    return new ProviderFailed({ reason: "throttled", after: waitOf(headers["retry-after"]) })
  if (status >= 500) return unreachable()
  return status === 401 ? new ProviderFailed({ reason: "grant" }) : Effect.succeed(answer)
}

export type Send = (
  method: HttpMethod.HttpMethod | "PROPFIND",
  url: string,
  sent?: Sent
) => Effect.Effect<Answer, ProviderFailed>

export const sender =
  (execute: HttpClient.HttpClient["execute"]): Send =>
  (method, url, { bearer, headers = {}, json, form, text } = {}) => {
    const body =
      json !== undefined
        ? HttpBody.unsafeJson(json)
        : form !== undefined
          ? HttpBody.text(new URLSearchParams(form).toString(), "application/x-www-form-urlencoded")
          : text !== undefined
            ? HttpBody.text(text, headers["content-type"])
            : HttpBody.empty
    const request = HttpClientRequest.make(method as HttpMethod.HttpMethod)(url, {
      // PROPFIND is a method of WebDAV
      headers: { ...headers, ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }) },
      body
    })
    return execute(request).pipe(
      Effect.flatMap((response) =>
        Effect.map(response.text, (text): Answer => ({ status: response.status, headers: response.headers, text }))
      ),
      Effect.scoped,
      Effect.mapError(unreachable),
      call(unreachable, { address: URL.parse(url)?.origin ?? "" }),
      Effect.flatMap(checked)
    )
  }

/** The decoded body of an answer of success. */
export const decodedBy =
  <A, I>(schema: Schema.Schema<A, I>) =>
  ({ status, text }: Answer): Effect.Effect<A, ProviderFailed> => {
    if (status === 404 || status === 410) return new ProviderFailed({ reason: "absent" })
    return status >= 200 && status < 300
      ? Effect.mapError(
          Schema.decodeUnknown(Schema.parseJson(schema))(text),
          () => new ProviderFailed({ reason: "refused" })
        )
      : new ProviderFailed({ reason: "refused" })
  }

const TokenAnswer = decodedBy(
  Schema.Struct({
    access_token: Schema.String,
    refresh_token: Schema.optional(Schema.String),
    expires_in: Schema.optional(Schema.Number)
  })
)

/** Tokens for a code or a refresh token. A refusal is a lost grant (RFC 6749, 5.2). */
export const tokensBy =
  (send: Send, url: string, client: Readonly<Record<string, string>>) =>
  (form: Readonly<Record<string, string>>): Effect.Effect<Tokens, ProviderFailed> =>
    Effect.flatMap(send("POST", url, { form: { ...client, ...form } }), (answer) =>
      answer.status >= 400
        ? new ProviderFailed({ reason: /invalid_grant|interaction_required/.test(answer.text) ? "grant" : "refused" })
        : Effect.map(TokenAnswer(answer), ({ expires_in = 3600, ...tokens }) => ({ ...tokens, expires_in }))
    )

/** All pages of a list. */
export const pagesOf = <A>(
  first: string,
  ask: (url: string) => Effect.Effect<A, ProviderFailed>,
  next: (page: A) => string | undefined
): Effect.Effect<ReadonlyArray<A>, ProviderFailed> =>
  Effect.gen(function* () {
    const pages: Array<A> = []
    for (let url: string | undefined = first; url !== undefined && pages.length < PAGES_MAX; ) {
      const page: A = yield* ask(url)
      pages.push(page)
      url = next(page)
    }
    return pages
  })
const PAGES_MAX = 200
