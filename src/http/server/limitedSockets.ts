import { HttpServer } from "@effect/platform"
import { BunHttpServer } from "@effect/platform-bun"
import { Effect, Layer } from "effect"
import { MESSAGE_MAX } from "../../services/meetings/MeetingRooms.ts"

/** BunHttpServer passes no option of sockets on to `Bun.serve`, so the limit is put into its call. */
const limitSockets = Effect.sync(() => {
  const { serve } = Bun
  Bun.serve = new Proxy(serve, {
    apply: (target, self, [options]) => {
      const websocket = { ...options.websocket, maxPayloadLength: MESSAGE_MAX }
      return Reflect.apply(target, self, [{ ...options, websocket }])
    }
  })
  return serve
})

const restore = (serve: typeof Bun.serve) =>
  Effect.sync(() => {
    Bun.serve = serve
  })

/**
 * As `BunHttpServer.layer`, but a socket's message of more than 32 KiB ends its connection as soon as its length is read.
 * Bun's own limit is 16 MiB, which it buffers before any handler sees them.
 */
export const limitedServer = (options: BunHttpServer.ServeOptions<Record<never, never>>) =>
  Layer.merge(
    Layer.scoped(
      HttpServer.HttpServer,
      Effect.acquireUseRelease(limitSockets, () => BunHttpServer.make(options), restore)
    ),
    BunHttpServer.layerContext
  )
