/** An HTTP client for public addresses only; each name is resolved once and the connection uses that result. Within `outgoing`. */
import type { IncomingMessage } from "node:http"
import { type HttpBody, HttpClient, HttpClientError, HttpClientResponse } from "@effect/platform"
import { Effect, Stream } from "effect"
import { AnswerTooLong, OutgoingCall } from "../../services/outgoing.ts"
import { examined, type OutgoingSettings } from "./addresses.ts"
import { exchange } from "./exchange.ts"

const bytesOf = (body: HttpBody.HttpBody) => (body._tag === "Uint8Array" ? body.body : new Uint8Array())

const headersOf = ({ headers }: IncomingMessage) =>
  Object.entries(headers).flatMap(([name, value = []]) =>
    (Array.isArray(value) ? value : [value]).map((one): [string, string] => [name, one])
  )

/** Statuses without a response body. */
const EMPTY = new Set([204, 205, 304])

/** The chunks of a body, at most so many bytes. */
async function* limited(message: IncomingMessage, bytes: number): AsyncGenerator<Uint8Array> {
  let size = 0
  for await (const chunk of message) {
    size += chunk.length
    if (size > bytes) throw new AnswerTooLong()
    yield chunk
  }
}

/** Request bodies are sent whole; responses are streamed without decompression. Redirects are returned, not followed. */
export const guardedClient = (settings: OutgoingSettings) =>
  HttpClient.make((request, { href }) => {
    const failed = (description: string) =>
      new HttpClientError.RequestError({ request, reason: "Transport", description })
    const answered = Effect.gen(function* () {
      const call = yield* Effect.orDie(Effect.serviceOptional(OutgoingCall))
      const to = yield* examined(href, settings)
      const response = yield* exchange<Response>(
        to,
        { method: request.method, headers: request.headers, body: bytesOf(request.body) },
        settings.ca,
        (message, done) => {
          const body = Stream.toReadableStream(Stream.fromAsyncIterable(limited(message, call.bytes), (error) => error))
          const status = message.statusCode ?? 0
          done(new Response(EMPTY.has(status) ? null : body, { status, headers: headersOf(message) }))
        }
      ).pipe(Effect.provideService(OutgoingCall, call))
      return HttpClientResponse.fromWeb(request, response)
    })
    return answered.pipe(
      Effect.catchTags({
        AddressRefused: ({ reason }) => failed(reason),
        Unresolvable: ({ code }) => failed(`dns ${code}`),
        Unanswered: ({ code }) => failed(code)
      })
    )
  })
