import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import type { EventBody } from "../support/body.ts"

export interface Got {
  readonly path: string
  readonly id: string
  readonly headers: Record<string, string>
  readonly text: string
  readonly event: EventBody
}

/** A subscriber's HTTP server: records requests and responds with `answer` of the path. */
export const startReceiver = async (
  answer: (got: Got, response: ServerResponse) => void = (_, response) => response.writeHead(204).end()
) => {
  const all: Array<Got> = []
  let respond = answer
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      const text = Buffer.concat(chunks).toString()
      const headers = request.headers as Record<string, string>
      const got: Got = {
        path: request.url ?? "",
        id: headers["webhook-id"] ?? "",
        headers,
        text,
        event: JSON.parse(text)
      }
      all.push(got)
      respond(got, response)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  return {
    all,
    at: (path: string) => all.filter((got) => got.path === path),
    url: (path: string) => `http://127.0.0.1:${port}${path}`,
    /** From now on. */
    answer: (next: typeof answer) => {
      respond = next
    },
    stop: () => {
      server.closeAllConnections()
      server.close()
    }
  }
}
