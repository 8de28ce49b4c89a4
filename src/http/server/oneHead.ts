/**
 * The head of a large JSON answer in one packet. Bun writes the head of an answer that it gets asynchronously in some 30 pieces, each a
 * system call and a packet, if the body is larger than its buffer, but that of a stream in one. Without need once Bun does what
 * https://github.com/oven-sh/bun/pull/41341 proposes. The answer is chunked then and has no `Content-Length`; files keep theirs.
 */
import { Headers, HttpServerResponse } from "@effect/platform"

/** Bytes that Bun writes at once. */
const BUFFER_BYTES = 16 * 1024

export const withOneHead = (response: HttpServerResponse.HttpServerResponse) => {
  const { body } = response
  if (body._tag !== "Uint8Array" || body.body.length < BUFFER_BYTES || !/^application\/json/.test(body.contentType))
    return response
  const stream = new ReadableStream<Uint8Array>({
    start: (controller) => {
      controller.enqueue(body.body)
      controller.close()
    }
  })
  return sentAs(response, stream)
}

/** The response with its body from this stream, whose length is not declared. */
export const sentAs = (
  { status, cookies, headers, body: { contentType } }: HttpServerResponse.HttpServerResponse,
  stream: ReadableStream<Uint8Array>
) =>
  HttpServerResponse.raw(stream, {
    status,
    cookies,
    headers: Headers.remove(headers, "content-length"),
    ...(contentType !== undefined && { contentType })
  })
