/**
 * Calls the service's own API from a page of staff, in process: with the same routes, contracts, permissions, limits and audit
 * entries as over the network, as the staff member whose page it is (Rule 17.2.1).
 */
import {
  type HttpApi,
  HttpApiClient,
  type HttpApiGroup,
  HttpClient,
  HttpClientRequest,
  HttpClientResponse,
  type HttpMethod,
  HttpRouter,
  HttpServerRequest,
  HttpServerResponse
} from "@effect/platform"
import { Context, Data, Effect, FiberRef, Option } from "effect"
import { Api } from "../../../http/Api.ts"
import { makeHandleRequest } from "../../../http/ProblemsMiddleware.ts"
import { routedRequests } from "../../../http/routedRequests.ts"
import { AuditLog } from "../../../services/audit/AuditLog.ts"
import { Service } from "../../../services/Service.ts"
import { withoutOwner } from "../../../services/tenancy/Tenancy.ts"
import { RecordsApi } from "./records/RecordsApi.ts"
import { readAnswers } from "./versions.ts"

/** The interface that pages of staff call: the core's and the practice's records. */
const PagesApi = Api.addHttpApi(RecordsApi)

/** Placeholder for this process; requests never leave it. */
const HOST = "http://interface.invalid"

/** Headers of the browser on which a page depends. */
const FOR_PAGES = ["cookie", "accept-language", "sec-fetch-dest"]

/** The API answered a page's request with an error. */
export class ApiRefused extends Data.TaggedError("ApiRefused")<{
  readonly status: number
  /** Where an operation of the interface answered. */
  readonly response?: HttpServerResponse.HttpServerResponse
}> {}

/** Another result where the API refuses a page's request with this status. */
export const whereRefused = <B>(status: number, value: B) =>
  Effect.catchIf(
    (error: unknown): error is ApiRefused => error instanceof ApiRefused && error.status === status,
    () => Effect.succeed(value)
  )

const textOf = (body: unknown) => {
  const text = JSON.stringify(body)
  return { body: text, headers: { "content-type": "application/json", "content-length": `${Buffer.byteLength(text)}` } }
}

/** @effect-expect-leaking FileSystem | Generator | HttpPlatform | HttpServerRequest | Path: they belong to the outer request */
export class InProcessApi extends Service<InProcessApi>()("http/InProcessApi", {
  effect: Effect.gen(function* () {
    const { router } = yield* routedRequests
    const handleRequest = yield* makeHandleRequest
    const app = yield* Effect.cached(Effect.flatMap(router, HttpRouter.toHttpApp))

    /** Sends one request as the signed-in staff member, with the browser's client address. */
    const dispatch = Effect.fnUntraced(function* (sent: Request) {
      const outer = yield* HttpServerRequest.HttpServerRequest
      const { remoteAddress } = outer
      const headers = Object.fromEntries(sent.headers)
      const forwarded = outer.headers["x-forwarded-for"]
      const request = HttpServerRequest.fromWeb(sent).modify({
        url: sent.url.slice(HOST.length),
        headers: { ...headers, ...(forwarded !== undefined && { "x-forwarded-for": forwarded }) } as never, // plain headers
        ...Option.match(remoteAddress, { onNone: () => ({}), onSome: (remoteAddress) => ({ remoteAddress }) })
      })
      return yield* handleRequest(yield* app).pipe(
        Effect.provideService(HttpServerRequest.HttpServerRequest, request),
        withoutOwner
      )
    })

    const overRoutes = Effect.fnUntraced(function* (request: HttpClientRequest.HttpClientRequest) {
      const { body } = request
      const bytes = body._tag === "Uint8Array" ? new Uint8Array(body.body) : undefined
      const url = Option.getOrThrow(HttpClientRequest.toUrl(request))
      const sent = new Request(url.href, {
        method: request.method,
        headers: { ...request.headers, ...(bytes !== undefined && { "content-length": `${bytes.length}` }) },
        ...(bytes !== undefined && { body: bytes })
      })
      const answer = yield* dispatch(sent)
      if (answer.status >= 400) return yield* new ApiRefused({ status: answer.status, response: answer })
      if (request.method === "GET" && answer.body._tag === "Uint8Array") {
        const answers = yield* FiberRef.get(readAnswers)
        const text = new TextDecoder().decode(answer.body.body)
        const path = url.pathname.replace(/\/$/, "")
        answers.set(path, [...(answers.get(path) ?? []), text])
      }
      return HttpClientResponse.fromWeb(request, HttpServerResponse.toWeb(answer))
    })
    const httpClient = HttpClient.makeWith(
      (request: Effect.Effect<HttpClientRequest.HttpClientRequest>) => Effect.flatMap(request, overRoutes),
      Effect.succeed
    )

    /**
     * The typed client derived from `PagesApi`. Built on first use (70 ms), without the context of that first request.
     */
    const client = yield* Effect.cached(
      Effect.mapInputContext(
        HttpApiClient.makeWith(PagesApi, { httpClient, baseUrl: HOST }),
        (_: Context.Context<never>) => Context.empty()
      )
    )

    const clients = new WeakMap<HttpApi.HttpApi.Any, unknown>()
    /** The same for a capability's API. */
    const clientOf = <Id extends string, Groups extends HttpApiGroup.HttpApiGroup.Any, Failure>(
      api: HttpApi.HttpApi<Id, Groups, Failure, never>
    ) => {
      const making = HttpApiClient.makeWith(api, { httpClient, baseUrl: HOST })
      const made = clients.get(api) as Effect.Effect.Success<typeof making> | undefined // as `clients` was given
      return made === undefined
        ? Effect.tap(
            // The cast: our credentials add nothing to a client
            Effect.mapInputContext(
              making as Effect.Effect<Effect.Effect.Success<typeof making>>,
              (_: Context.Context<never>) => Context.empty()
            ),
            (client) => Effect.sync(() => clients.set(api, client))
          )
        : Effect.succeed(made)
    }

    /** Calls one operation by method and path; the body is sent as JSON. `version`: the tag that the record must still have. */
    const send = (
      method: HttpMethod.HttpMethod,
      path: string,
      body: unknown,
      { accept = "application/json", version }: { readonly accept?: string; readonly version?: string | undefined } = {}
    ) => {
      const condition = version === undefined ? undefined : { "if-match": version }
      const { headers, ...rest } = method === "GET" || method === "DELETE" ? { headers: { accept } } : textOf(body)
      return dispatch(new Request(HOST + path, { method, headers: { ...headers, ...condition }, ...rest }))
    }

    /** Renders a page for the browser of the current request. */
    const page = (address: string) =>
      Effect.flatMap(HttpServerRequest.HttpServerRequest, (outer) => {
        const headers = Object.fromEntries(FOR_PAGES.map((name) => [name, outer.headers[name] ?? ""]))
        return dispatch(new Request(HOST + address, { headers }))
      })

    return { client, clientOf, send, page } as const
  }),
  dependencies: [AuditLog.Default]
}) {}
export type Client = Effect.Effect.Success<InProcessApi["client"]>
export type ClientOf = InProcessApi["clientOf"]
