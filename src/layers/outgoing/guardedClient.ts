/** An HTTP client for public addresses only; each name is resolved once and the connection uses that result. */
import type { IncomingMessage } from "node:http"
import { type HttpBody, HttpClient, HttpClientError, HttpClientResponse } from "@effect/platform"
import { Effect, Stream } from "effect"
import { examined, type OutgoingSettings } from "./addresses.ts"
import { exchange } from "./exchange.ts"

const bytesOf = (body: HttpBody.HttpBody) => (body._tag === "Uint8Array" ? body.body : new Uint8Array())

const headersOf = ({ headers }: IncomingMessage) =>
  Object.entries(headers).flatMap(([name, value = []]) =>
    (Array.isArray(value) ? value : [value]).map((one): [string, string] => [name, one])
  )

/** Statuses without a response body. */
const EMPTY = new Set([204, 205, 304])

/** Request bodies are sent whole; responses are streamed without decompression. Redirects are returned, not followed. */
export const guardedClient = (settings: OutgoingSettings) =>
  HttpClient.make((request, { href }, signal) => {
    const failed = (description: string) =>
      new HttpClientError.RequestError({ request, reason: "Transport", description })
    return examined(href, settings).pipe(
      Effect.flatMap((to) =>
        exchange<Response>(
          to,
          { method: request.method, headers: request.headers, body: bytesOf(request.body) },
          settings.ca,
          (message, done) => {
            signal.addEventListener("abort", () => message.destroy())
            const body = Stream.toReadableStream(
              Stream.fromAsyncIterable<Uint8Array, unknown>(message, (error) => error)
            )
            const status = message.statusCode ?? 0
            done(new Response(EMPTY.has(status) ? null : body, { status, headers: headersOf(message) }))
          }
        )
      ),
      Effect.map((response) => HttpClientResponse.fromWeb(request, response)),
      Effect.catchTags({
        AddressRefused: ({ reason }) => failed(reason),
        Unresolvable: ({ code }) => failed(`dns ${code}`),
        Unanswered: ({ code }) => failed(code)
      })
    )
  })
