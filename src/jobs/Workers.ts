/** All background workers. They run in processes with ROLE `all` or `worker`. */
import { Effect, Layer } from "effect"
import { Invoices } from "../services/checkout/Invoices.ts"
import { Extensions } from "../services/Extensions.ts"
import { Deliveries } from "../services/events/Deliveries.ts"
import { Idempotency } from "../services/Idempotency.ts"
import { SentCopies } from "../services/notifications/SentCopies.ts"
import { Routing } from "../services/pharmacy/Routing.ts"
import { PrescriptionFiles } from "../services/prescriptions/PrescriptionFiles.ts"
import { PrescriptionRendering } from "../services/prescriptions/PrescriptionRendering.ts"
import { DeliverWebhook } from "./DeliverWebhook.ts"
import { SendMessage } from "./SendMessage.ts"
import { TickWorkers } from "./Ticks.ts"
import { NonRetryable, worker } from "./worker.ts"

/** Stored idempotent responses that mention an erased patient. */
const ForgetAnswers = worker("answers.forget", ({ owner_uid, identifiers }) =>
  Effect.flatMap(Idempotency, ({ forget }) => forget(owner_uid, identifiers))
)

/** The outbox files of deleted messages. */
const ForgetMessage = worker("message.forget", ({ message_uids }) =>
  Effect.flatMap(SentCopies, ({ forget }) => forget(message_uids))
)

/** The PDFs of a prescription after erasure or retention. */
const ForgetPrescription = worker("prescription.forget", (prescription) =>
  Effect.flatMap(PrescriptionFiles, ({ forget }) => forget(prescription))
)

/**
 * The unsigned PDF of one prescription. CPU-bound, so two at a time per process and one per organisation, so that organisations do not
 * wait for each other's backlog.
 */
const RenderPrescription = worker(
  "prescription.render",
  (prescription) =>
    Effect.flatMap(PrescriptionRendering, ({ render }) => render(prescription)).pipe(
      Effect.catchTag("PrescriptionNotFound", () => new NonRetryable({ reason: "the prescription is gone" }))
    ),
  { concurrency: 2, ofGroup: 1 }
)

/** Continues the replay of a subscription's failed deliveries. */
const ReplayWebhooks = worker(
  "webhook.replay",
  (replay) => Effect.flatMap(Deliveries, ({ continueReplay }) => continueReplay(replay)),
  { concurrency: 1 }
)

/** Routes the payouts of completed orders. A job whose outcome at the provider is unknown fails and is retried. */
const RoutePayout = worker("payout.route", ({ pharmacy_uid, pharmacy_order_uid }) =>
  Effect.flatMap(Routing, ({ routeOrder }) => routeOrder(pharmacy_uid, pharmacy_order_uid))
)

/** The invoice of a draft order, to the customer. A rejection by the shop (unknown address or draft) is not retried. */
const SendInvoice = worker("storefront.invoice", (invoice) =>
  Effect.flatMap(Invoices, ({ send }) => send(invoice)).pipe(
    Effect.catchTags({
      StorefrontRefused: ({ message }) => new NonRetryable({ reason: message }),
      ShopNotFound: ({ message }) => new NonRetryable({ reason: message })
    })
  )
)

/** Those of capabilities. */
const Added = Layer.unwrapEffect(
  Effect.flatMap(Extensions, ({ having }) =>
    Effect.map(having("jobs"), (some) =>
      Layer.mergeAll(
        Layer.empty,
        ...some.flatMap(({ jobs }) => jobs.map(({ queue, run, ...settings }) => worker(queue, run, settings)))
      )
    )
  )
)

export const Workers = Layer.mergeAll(
  Added,
  DeliverWebhook,
  SendMessage,
  ForgetAnswers,
  ForgetMessage,
  ForgetPrescription,
  RenderPrescription,
  ReplayWebhooks,
  RoutePayout,
  SendInvoice,
  TickWorkers
).pipe(
  Layer.provide([
    Deliveries.Default,
    Invoices.Default,
    PrescriptionFiles.Default,
    PrescriptionRendering.Default,
    Routing.Default
  ])
)
