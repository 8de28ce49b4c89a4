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

type Headers = Readonly<Record<string, string>>
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly text: string
}
type Asked<A> = Effect.Effect<A, ProviderFailed>
export type Send = (
  method: HttpMethod.HttpMethod,
  url: string,
  body: HttpBody.HttpBody,
  headers?: Headers
) => Asked<Answer>

const refused = () => new ProviderFailed({ reason: "refused" })
const unreachable = () => new ProviderFailed({ reason: "unreachable" })
/** Fails for answers that mean the same whatever was asked. */
const checked = (answer: Answer): Asked<Answer> => {
  const { status, text } = answer
  const after = restOf(answer, status === 403 && /rateLimit|quota|userRateLimit/i.test(text))
  if (after !== undefined) return new ProviderFailed({ reason: "throttled", after })
  return status >= 500 ? unreachable() : Effect.succeed(answer)
}

export const sender =
  (execute: HttpClient.HttpClient["execute"]): Send =>
  (method, url, body, headers = {}) =>
    execute(HttpClientRequest.make(method)(url, { headers, body })).pipe(
      Effect.flatMap((response) =>
        Effect.map(response.text, (text): Answer => ({ status: response.status, headers: response.headers, text }))
      ),
      Effect.scoped,
      Effect.mapError(unreachable),
      call(unreachable, { address: URL.parse(url)?.origin ?? "" }),
      Effect.flatMap(checked)
    )

const isMissing = ({ status }: Answer) => status === 404 || status === 410
/** The decoded body of an answer of success. */
export const bodyOf =
  <A, I>(schema: Schema.Schema<A, I>) =>
  (answer: Answer): Asked<A> => {
    if (isMissing(answer)) return new ProviderFailed({ reason: "gone" })
    return answer.status >= 200 && answer.status < 300
      ? Effect.mapError(Schema.decodeUnknown(Schema.parseJson(schema))(answer.text), refused)
      : refused()
  }

/** Pages of a list. */
const PAGES_MAX = 200

/** What is asked for an account. */
export const asker = (send: Send, token: string, headers: Headers = {}) => {
  const answer = (method: HttpMethod.HttpMethod, url: string, json?: unknown): Asked<Answer> =>
    Effect.filterOrFail(
      send(method, url, json === undefined ? HttpBody.empty : HttpBody.unsafeJson(json), {
        ...headers,
        authorization: `Bearer ${token}`
      }),
      ({ status }) => status !== 401,
      () => new ProviderFailed({ reason: "grant" })
    )
  return {
    answer,
    /** The decoded body of an answer of success. */
    ask: <A, I>(schema: Schema.Schema<A, I>, ...asked: Parameters<typeof answer>) =>
      Effect.flatMap(answer(...asked), bodyOf(schema)),
    /** All pages of a list. `isLost`: an answer that the token in the address is not known any more. */
    pages: <A, I>(
      schema: Schema.Schema<A, I>,
      first: string,
      next: (page: A) => string | undefined,
      isLost: (answer: Answer) => boolean = () => false
    ) =>
      Effect.gen(function* () {
        const pages: Array<A> = []
        for (let url: string | undefined = first; url !== undefined; ) {
          if (pages.length === PAGES_MAX) return yield* refused()
          const given = yield* answer("GET", url)
          if (isLost(given)) return yield* new ProviderFailed({ reason: "token_lost" })
          const page: A = yield* bodyOf(schema)(given)
          pages.push(page)
          url = next(page)
        }
        return pages
      }),
    /** Also what is not there any more. */
    remove: (url: string) =>
      Effect.flatMap(answer("DELETE", url), (given) =>
        given.status < 300 || isMissing(given) ? Effect.void : refused()
      )
  } as const
}

const tokenAnswer = Schema.Struct({
  access_token: Schema.String,
  refresh_token: Schema.optional(Schema.String),
  expires_in: Schema.optionalWith(Schema.Number, { default: () => 3600 })
})

interface Grant {
  readonly client: {
    readonly clientId: string | undefined
    readonly clientSecret: Redacted.Redacted | undefined
  }
  readonly authorizeUrl: string
  readonly tokenUrl: string
  readonly scope: string
  /** Of the page, beside what is standard. */
  readonly asked: Headers
  /** Host of the provider itself. */
  readonly host: string
  /** Where the grant is ended; undefined: the provider has no such call. */
  readonly revokeUrl?: string
}
/** Permissions by the authorisation code (RFC 6749) with PKCE (RFC 7636). Undefined without the settings of a client. */
export const grantingBy = (send: Send, grant: Grant): Granting | undefined => {
  const { client, authorizeUrl, tokenUrl, scope, asked, host, revokeUrl } = grant
  const { clientId: client_id, clientSecret } = client
  if (client_id === undefined || clientSecret === undefined) return undefined
  const post = (url: string, form: Headers) => send("POST", url, HttpBody.urlParams(UrlParams.fromInput(form)))
  const client_secret = Redacted.value(clientSecret)
  /** A refusal of the doctor's permission is a lost one; one of the client (RFC 6749, 5.2) is the operator's to mend. */
  const tokens = (form: Headers): Asked<Tokens> =>
    Effect.flatMap(post(tokenUrl, { client_id, client_secret, scope, ...form }), (answer) =>
      answer.status >= 400 && /invalid_grant|interaction_required/.test(answer.text)
        ? new ProviderFailed({ reason: "grant" })
        : bodyOf(tokenAnswer)(answer)
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
    revoke: (token) => (revokeUrl === undefined ? Effect.void : Effect.asVoid(post(revokeUrl, { token })))
  }
}
