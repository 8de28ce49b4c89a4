/** All background workers. They run in processes with ROLE `all` or `worker`. */
import { Layer } from "effect"
import { DeliverWebhook } from "./DeliverWebhook.ts"
import { ForgetAnswers } from "./ForgetAnswers.ts"
import { ForgetMessage } from "./ForgetMessage.ts"
import { ForgetPrescription } from "./ForgetPrescription.ts"
import { ReadCalendar } from "./ReadCalendar.ts"
import { RenderPrescription } from "./RenderPrescription.ts"
import { ReplayWebhooks } from "./ReplayWebhooks.ts"
import { RoutePayout } from "./RoutePayout.ts"
import { SendInvoice } from "./SendInvoice.ts"
import { SendMessage } from "./SendMessage.ts"
import { SettleAbsence } from "./SettleAbsence.ts"
import { TickWorkers } from "./Ticks.ts"

export const Workers = Layer.mergeAll(
  DeliverWebhook,
  SendMessage,
  ForgetAnswers,
  ForgetMessage,
  ForgetPrescription,
  ReadCalendar,
  RenderPrescription,
  ReplayWebhooks,
  RoutePayout,
  SendInvoice,
  SettleAbsence,
  TickWorkers
)
