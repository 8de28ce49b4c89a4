import { Context, Effect, Function, Layer } from "effect"

type AnyLayer = Layer.Layer<unknown>

const provided = (self: AnyLayer, dependencies: AnyLayer | ReadonlyArray<AnyLayer>) =>
  Layer.scopedContext(
    Effect.gen(function* () {
      const memoMap = yield* Layer.CurrentMemoMap
      const scope = yield* Effect.scope
      const built = (layer: AnyLayer) => Layer.buildWithMemoMap(layer, memoMap, scope)
      let context = yield* Effect.context<never>()
      for (const one of [dependencies].flat()) context = Context.merge(context, yield* built(one))
      return yield* Effect.provide(built(self), context)
    })
  )

/** As `Layer.provide`, in one step of the build. */
export const provide = Function.dual(2, provided) as typeof Layer.provide

interface Made {
  new (...values: ReadonlyArray<never>): object
  readonly DefaultWithoutDependencies: AnyLayer
}

/**
 * `Effect.Service`, for services with dependencies. The library's `Default` takes five layers, and a fiber and two scopes for each dependency:
 * with this program's hundreds a tenth of a start's processor time, and 15 MiB that stay (docs/performance.md).
 */
export const Service = (() => (key: string, maker: { readonly dependencies: ReadonlyArray<AnyLayer> }) => {
  let layer: AnyLayer | undefined
  // The casts: the type is the library's, with a case for each way to make a service
  return class extends (Effect.Service<object>()(key, maker as never) as unknown as Made) {
    static get Default() {
      // biome-ignore lint/complexity/noThisInStatic: the class that extends this one
      layer ??= provided(this.DefaultWithoutDependencies, maker.dependencies)
      return layer
    }
  }
}) as unknown as typeof Effect.Service
