/** Everything that happens without a caller. Runs in processes whose ROLE is `all` or `worker`. */
import { Layer } from "effect"
import { DeliverWebhook } from "./DeliverWebhook.ts"
import { FinishedAppointments } from "./FinishedAppointments.ts"
import { LapsedHolds } from "./LapsedHolds.ts"
import { RenderPrescription } from "./RenderPrescription.ts"
import { RoutePayout } from "./RoutePayout.ts"
import { SendInvoice } from "./SendInvoice.ts"

export const Workers = Layer.mergeAll(
  DeliverWebhook,
  LapsedHolds,
  FinishedAppointments,
  RenderPrescription,
  RoutePayout,
  SendInvoice
)
