/** Every worker of the service. */
import { Layer } from "effect"
import { RenderPrescription } from "./RenderPrescription.ts"
import { RoutePayout } from "./RoutePayout.ts"

export const Workers = Layer.mergeAll(RenderPrescription, RoutePayout)
