/** A worker with the servers that never finish an answer, and with the clients that make the service ask them. */
import { type BrokenServer, brokenKinds, brokenServer } from "../../tests/support/brokenServers.ts"

/** A request that is sent again and again in so many lanes. */
export interface Repeated {
  readonly name: string
  readonly lanes: number
  /** Milliseconds between an answer and the next request of a lane. */
  readonly pause: number
  readonly url: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Of each kind of request how many got which status. */
export type Tally = Record<string, Record<number, number>>

export interface Broken {
  readonly url: string
  readonly mailUrl: string
}

const tally: Tally = {}
let server: BrokenServer | undefined
let isStopped = false

const attack = async ({ name, url, pause, ...request }: Repeated) => {
  while (!isStopped) {
    // Of what is stored by an id, each request stores another
    const body = request.body.replaceAll("$ID", crypto.randomUUID())
    const status = await fetch(url, { ...request, body }).then(
      async (response) => {
        await response.arrayBuffer()
        return response.status
      },
      () => 0
    )
    const before = tally[name] ?? {}
    tally[name] = { ...before, [status]: (before[status] ?? 0) + 1 }
    await Bun.sleep(pause)
  }
}

self.onmessage = async ({ data }: MessageEvent<ReadonlyArray<Repeated> | "start" | "stop">) => {
  if (data === "start") {
    server = await brokenServer(...brokenKinds)
    postMessage({ url: server.url, mailUrl: server.mailUrl } satisfies Broken)
  } else if (data === "stop") {
    isStopped = true
    postMessage(tally)
  } else for (const repeated of data) for (let lane = 0; lane < repeated.lanes; lane++) void attack(repeated)
}
