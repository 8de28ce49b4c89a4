/** Checks that the ports are free before the database, migrations and jobs start. */
import { createServer } from "node:net"
import { Data, Effect, Layer } from "effect"
import { Settings } from "../config.ts"

/** Another program listens on the port. */
export class PortTaken extends Data.TaggedError("PortTaken")<{
  readonly setting: string
  readonly host: string
  readonly port: number
}> {
  override get message() {
    return `Port ${this.port} of ${this.host} is taken by another program: end that one, or set ${this.setting} to another port`
  }
}

/** Listens briefly. Other errors of the address are left to the server. */
const ensureFree = (setting: string, host: string, port: number) =>
  Effect.async<void, PortTaken>((resume) => {
    const server = createServer()
    server.on("error", (error: NodeJS.ErrnoException) =>
      resume(error.code === "EADDRINUSE" ? new PortTaken({ setting, host, port }) : Effect.void)
    )
    server.listen(port, host, () => server.close(() => resume(Effect.void)))
  })

export const PortsFree = Layer.effectDiscard(
  Effect.flatMap(Settings, ({ host, port, metricsPort }) =>
    Effect.zipRight(
      ensureFree("PORT", host, port),
      metricsPort === undefined ? Effect.void : ensureFree("METRICS_PORT", host, metricsPort)
    )
  )
)
