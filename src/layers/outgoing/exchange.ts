/** One HTTP request, only to the checked addresses, without following redirects. */
import { type IncomingMessage, request as overHttp } from "node:http"
import { request as overHttps, type RequestOptions } from "node:https"
import { Effect } from "effect"
import { OutgoingCall } from "../../services/outgoing.ts"
import type { Address } from "./addresses.ts"

export interface Outgoing {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array
}

/** No response, with the error's code. */
export class Unanswered {
  readonly _tag = "Unanswered"
  constructor(readonly code: string) {}
}

/**
 * Connects to one of the given addresses; the Host header and the TLS handshake use the name. `read` gets the response as soon
 * as its headers arrive. The end of the call closes the connection.
 */
export const exchange = <A>(
  { url, at }: { readonly url: URL; readonly at: ReadonlyArray<Address> },
  { method, headers, body }: Outgoing,
  ca: string | undefined,
  read: (response: IncomingMessage, done: (answer: A) => void) => void
) =>
  Effect.flatMap(OutgoingCall, ({ ended }) =>
    Effect.async<A, Unanswered>((resume) => {
      const options: RequestOptions = {
        method,
        agent: false,
        headers: { ...headers, "content-length": Buffer.byteLength(body) },
        lookup: (_host, { all }, answer) => {
          const [first] = at
          if (all) answer(null, [...at])
          else answer(null, first?.address ?? "", first?.family)
        },
        ...(ca !== undefined && { ca })
      }
      const request = (url.protocol === "https:" ? overHttps : overHttp)(url, options, (response) =>
        read(response, (answer) => resume(Effect.succeed(answer)))
      )
      request.on("error", (error: NodeJS.ErrnoException) =>
        resume(Effect.fail(new Unanswered(error.code ?? error.name)))
      )
      ended.addEventListener("abort", () => request.destroy())
      request.end(body)
    })
  )
