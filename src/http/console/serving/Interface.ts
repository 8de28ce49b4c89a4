/**
 * The service's own interface, asked from a page in the same process: by the same routes, contracts, permissions, limits and
 * audit entries as from outside, as the member of staff whose page it is (Rule 17.2.1).
 */
import {
  HttpApiClient,
  HttpClient,
  HttpClientRequest,
  HttpClientResponse,
  type HttpMethod,
  HttpRouter,
  HttpServerRequest,
  HttpServerResponse
} from "@effect/platform"
import { Context, Data, Effect, Option } from "effect"
import { AuditLog } from "../../../services/audit/AuditLog.ts"
import { currentTenancy, noTenant } from "../../../services/tenancy/Tenancy.ts"
import { Api } from "../../Api.ts"
import { handleRequest } from "../../ProblemsMiddleware.ts"
import { routedRequests } from "../../routedRequests.ts"

/** Paths of the interface alone are sent; the host stands for this process. */
const HOST = "http://console.invalid"

/** The interface has refused what a page asked for. */
export class InterfaceRefused extends Data.TaggedError("InterfaceRefused")<{ readonly status: number }> {}

const textOf = (body: unknown) => {
  const text = JSON.stringify(body)
  return { body: text, headers: { "content-type": "application/json", "content-length": `${Buffer.byteLength(text)}` } }
}

/** @effect-expect-leaking FileSystem | Generator | HttpPlatform | HttpServerRequest | Path: a request is asked for another */
export class Interface extends Effect.Service<Interface>()("console/Interface", {
  effect: Effect.gen(function* () {
    const { router } = yield* routedRequests
    const app = yield* Effect.cached(Effect.flatMap(router, HttpRouter.toHttpApp))

    /** One request by the signed-in member of staff, with the address that the caller has. */
    const ask = Effect.fnUntraced(function* (sent: Request) {
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
        Effect.locally(currentTenancy, noTenant)
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
      const answer = yield* ask(sent)
      if (answer.status >= 400) return yield* new InterfaceRefused({ status: answer.status })
      return HttpClientResponse.fromWeb(request, HttpServerResponse.toWeb(answer))
    })
    const httpClient = HttpClient.makeWith(
      (request: Effect.Effect<HttpClientRequest.HttpClientRequest>) => Effect.flatMap(request, overRoutes),
      Effect.succeed
    )

    /**
     * The client that the contract gives: names, queries and answers are typed and checked. Made when first used (some 70 ms), of nothing
     * that belongs to the request that is the first.
     */
    const client = yield* Effect.cached(
      Effect.mapInputContext(HttpApiClient.makeWith(Api, { httpClient, baseUrl: HOST }), (_: Context.Context<never>) =>
        Context.empty()
      )
    )

    /** One operation by method and path; a body is sent as JSON. */
    const send = (method: HttpMethod.HttpMethod, path: string, body: unknown, accept = "application/json") =>
      ask(
        new Request(
          HOST + path,
          method === "GET" || method === "DELETE" ? { method, headers: { accept } } : { method, ...textOf(body) }
        )
      )

    /** A page of the console, as the browser of the current request would get it. */
    const page = (address: string) =>
      Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ headers }) =>
        ask(
          new Request(HOST + address, {
            headers: { cookie: headers.cookie ?? "", "accept-language": headers["accept-language"] ?? "" }
          })
        )
      )

    return { client, send, page } as const
  }),
  dependencies: [AuditLog.Default]
}) {}
export type Client = Effect.Effect.Success<Interface["client"]>
