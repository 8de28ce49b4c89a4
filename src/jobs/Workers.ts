/** Everything that happens without a caller. Runs in processes whose ROLE is `all` or `worker`. */
import { Layer } from "effect"
import { DeliverWebhook } from "./DeliverWebhook.ts"
import { DueReminders } from "./DueReminders.ts"
import { ExpiredHolds } from "./ExpiredHolds.ts"
import { FinishedAppointments } from "./FinishedAppointments.ts"
import { RenderPrescription } from "./RenderPrescription.ts"
import { Retention } from "./Retention.ts"
import { RoutePayout } from "./RoutePayout.ts"
import { SendInvoice } from "./SendInvoice.ts"
import { SendMessage } from "./SendMessage.ts"
import { WaitingOrders } from "./WaitingOrders.ts"

export const Workers = Layer.mergeAll(
  DeliverWebhook,
  DueReminders,
  SendMessage,
  ExpiredHolds,
  FinishedAppointments,
  Retention,
  RenderPrescription,
  RoutePayout,
  SendInvoice,
  WaitingOrders
)
