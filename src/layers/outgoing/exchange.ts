/** One request over HTTP: to the addresses that were examined and no other, redirects not followed. */
import { type IncomingMessage, request as overHttp } from "node:http"
import { request as overHttps, type RequestOptions } from "node:https"
import { Effect } from "effect"
import type { Address } from "./addresses.ts"

export interface Outgoing {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array
}

/** No answer: the error's code. */
export class Unanswered {
  readonly _tag = "Unanswered"
  constructor(readonly code: string) {}
}

/**
 * The socket goes to one of the given addresses; the name is still in the Host header and in the TLS handshake. `read` is given the
 * answer as soon as its head is there, and says what is made of it. An interruption ends the connection.
 */
export const exchange = <A>(
  { url, at }: { readonly url: URL; readonly at: ReadonlyArray<Address> },
  { method, headers, body }: Outgoing,
  ca: string | undefined,
  read: (response: IncomingMessage, done: (answer: A) => void) => void
) =>
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
    request.on("error", (error: NodeJS.ErrnoException) => resume(Effect.fail(new Unanswered(error.code ?? error.name))))
    request.end(body)
    return Effect.sync(() => request.destroy())
  })
