import { Layer } from "effect"

/** All of these layers, which may be none. */
// biome-ignore lint/suspicious/noExplicitAny: any errors and services, which the result has
export const mergedLayers = <L extends Layer.Layer<never, any, any>>(
  layers: ReadonlyArray<L>
): Layer.Layer<never, Layer.Layer.Error<L>, Layer.Layer.Context<L>> =>
  layers.reduce<Layer.Layer<never, Layer.Layer.Error<L>, Layer.Layer.Context<L>>>(
    (all, one) => Layer.merge(all, one),
    Layer.empty
  )
