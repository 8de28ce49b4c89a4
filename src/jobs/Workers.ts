/** Every worker of the service. */
import { RoutePayout } from "./RoutePayout.ts"

export const Workers = RoutePayout
