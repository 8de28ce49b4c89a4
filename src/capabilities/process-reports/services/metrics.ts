/** Gauges of what waits and of the process. docs/metrics.md has them with the core's. */
import { counter, gauge, histogram } from "../../../services/metrics.ts"

export const webhookBacklog = gauge("sprechstunde_webhook_backlog", "Webhook deliveries that are pending")

/** Deliveries that are due and not claimed by any process yet. */
export const webhooksDue = gauge(
  "sprechstunde_webhook_deliveries_due",
  "Webhook deliveries that are due and not attempted"
)

/** Mails and text messages not yet sent or given up, by `channel`. */
export const messagesWaiting = gauge(
  "sprechstunde_messages_waiting",
  "Mails and text messages not yet sent or given up"
)

/** Payouts that are not routed, by `state`: `pending`, or `parked` for an operator. */
export const payoutsWaiting = gauge("sprechstunde_payouts_waiting", "Payouts of completed orders that are not routed")

/** Jobs waiting to be picked up, by `queue`; in `dead_letters`, those without attempts left. */
export const queueDepth = gauge("sprechstunde_queue_depth", "Jobs waiting to be picked up")

/** Shops' orders for which no pharmacy order can be created yet, by `reason`: a `WaitingReason`. */
export const ordersWaiting = gauge(
  "sprechstunde_orders_waiting",
  "Shops' orders that cannot be given to a pharmacy yet"
)

/** Event loop lag: how late a timer runs. */
export const eventLoopDelay = histogram(
  "sprechstunde_event_loop_delay_seconds",
  "How late a timer of the event loop is"
)

/** Memory of the process, by `kind`: `resident`, `heap` (used by JavaScript) or `external` (buffers). */
export const processMemory = gauge("sprechstunde_process_memory_bytes", "Memory of the process")

/** CPU time of the process since its start, user and system together. */
export const processCpu = counter("sprechstunde_process_cpu_seconds_total", "Processor time of the process")

/** When the process started, Unix seconds. */
export const processStart = gauge("sprechstunde_process_start_time_seconds", "When the process started")

/** Always 1, by `version` (of the release), `bun` (of the runtime) and `role`. */
export const buildInfo = gauge("sprechstunde_build_info", "Release, runtime and role")
