/** Requests to providers of calendars, and what their answers mean for all of them. */
import { HttpBody, type HttpClient, HttpClientRequest, type HttpMethod, UrlParams } from "@effect/platform"
import { Effect, Redacted, Schema } from "effect"
import { outgoing } from "../../../../services/outgoing.ts"
import { type Granting, ProviderFailed, type Tokens } from "../../services/connections/CalendarProviders.ts"
import { restOf } from "../retryAfter.ts"

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
}
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly text: string
}

const unreachable = () => new ProviderFailed({ reason: "unreachable" })
/** Fails for answers that mean the same whatever was asked. */
const checked = (answer: Answer): Effect.Effect<Answer, ProviderFailed> => {
  const { status, text } = answer
  const after = restOf(answer, status === 403 && /rateLimit|quota|userRateLimit/i.test(text))
  if (after !== undefined) return new ProviderFailed({ reason: "throttled", after })
  if (status >= 500) return unreachable()
  return status === 401 ? new ProviderFailed({ reason: "grant" }) : Effect.succeed(answer)
}

export type Send = (method: HttpMethod.HttpMethod, url: string, sent?: Sent) => Effect.Effect<Answer, ProviderFailed>

export const sender =
  (execute: HttpClient.HttpClient["execute"]): Send =>
  (method, url, { bearer, headers = {}, json, form } = {}) => {
    const body =
      json !== undefined
        ? HttpBody.unsafeJson(json)
        : form !== undefined
          ? HttpBody.urlParams(UrlParams.fromInput(form))
          : HttpBody.empty
    const request = HttpClientRequest.make(method)(url, {
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

/** Asks, and decodes the answer of success. */
export const asker =
  (send: Send) =>
  <A>(decoded: (answer: Answer) => Effect.Effect<A, ProviderFailed>, ...asked: Parameters<Send>) =>
    Effect.flatMap(send(...asked), decoded)

/** After a DELETE: also of what was not there any more. */
export const removed = ({ status }: Answer) =>
  status < 300 || status === 404 || status === 410 ? Effect.void : new ProviderFailed({ reason: "refused" })

const tokenAnswer = decodedBy(
  Schema.Struct({
    access_token: Schema.String,
    refresh_token: Schema.optional(Schema.String),
    expires_in: Schema.optionalWith(Schema.Number, { default: () => 3600 })
  })
)

interface Grant {
  readonly client: {
    readonly clientId: string | undefined
    readonly clientSecret: Redacted.Redacted | undefined
  }
  readonly authorizeUrl: string
  readonly tokenUrl: string
  readonly scope: string
  /** Of the page, beside what is standard. */
  readonly asked: Readonly<Record<string, string>>
  /** Host of the provider itself. */
  readonly host: string
  readonly revoke: Granting["revoke"]
}
/** Permissions by the authorisation code (RFC 6749) with PKCE (RFC 7636). Undefined without the settings of a client. */
export const grantingBy = (send: Send, grant: Grant): Granting | undefined => {
  const { client, authorizeUrl, tokenUrl, scope, asked, host, revoke } = grant
  const { clientId: client_id, clientSecret } = client
  if (client_id === undefined || clientSecret === undefined) return undefined
  const client_secret = Redacted.value(clientSecret)
  /** A refusal is a lost grant (RFC 6749, 5.2). */
  const tokens = (form: Readonly<Record<string, string>>): Effect.Effect<Tokens, ProviderFailed> =>
    Effect.flatMap(send("POST", tokenUrl, { form: { client_id, client_secret, scope, ...form } }), (answer) =>
      answer.status >= 400
        ? new ProviderFailed({ reason: /invalid_grant|interaction_required/.test(answer.text) ? "grant" : "refused" })
        : tokenAnswer(answer)
    )
  return {
    isStandIn: new URL(tokenUrl).host !== host,
    authorizeUrl: ({ state, challenge, redirect }) =>
      `${authorizeUrl}?${new URLSearchParams({
        ...{ client_id, response_type: "code", redirect_uri: redirect, scope, ...asked },
        ...{ state, code_challenge: challenge, code_challenge_method: "S256" }
      })}`,
    exchange: (code, code_verifier, redirect_uri) =>
      tokens({ grant_type: "authorization_code", code, code_verifier, redirect_uri }),
    refresh: (refresh_token) => tokens({ grant_type: "refresh_token", refresh_token }),
    revoke
  }
}

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
