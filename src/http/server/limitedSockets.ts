import { HttpServer } from "@effect/platform"
import { BunHttpServer } from "@effect/platform-bun"
import { Effect, Layer } from "effect"

/** Bytes of the largest WebSocket message that a browser sends; a larger one ends the connection. */
export const MESSAGE_MAX = 32_768

/** `BunHttpServer` passes no WebSocket options to `Bun.serve`, so this patches `Bun.serve` to add the limit. */
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
 * `BunHttpServer.layer` with a limit of 32 KiB a WebSocket message: a longer one closes the connection as soon as its length
 * is read. Bun's default is 16 MiB, which it buffers before a handler runs.
 */
export const limitedServer = (options: BunHttpServer.ServeOptions<Record<never, never>>) =>
  Layer.merge(
    Layer.scoped(
      HttpServer.HttpServer,
      Effect.acquireUseRelease(limitSockets, () => BunHttpServer.make(options), restore)
    ),
    BunHttpServer.layerContext
  )
