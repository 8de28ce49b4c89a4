/** What happens by the clock, once for any number of processes. */
import { SqlError } from "@effect/sql"
import { Clock, Effect, Layer } from "effect"
import { AuditChain } from "../services/audit/AuditChain.ts"
import { AbandonedCheckouts } from "../services/checkout/acceptance/AbandonedCheckouts.ts"
import { OrderIntake } from "../services/checkout/intake/OrderIntake.ts"
import { DeliveryRunner } from "../services/events/DeliveryRunner.ts"
import { Boss } from "../services/Jobs.ts"
import { MessageSender } from "../services/notifications/MessageSender.ts"
import { Retention } from "../services/operation/Retention.ts"
import { Erasures } from "../services/patients/Erasures.ts"
import { Routing } from "../services/pharmacy/Routing.ts"
import type { QueueName } from "../services/queues.ts"
import { ExpiredHolds } from "../services/scheduling/appointments/ExpiredHolds.ts"
import { FinishedAppointments } from "../services/scheduling/appointments/FinishedAppointments.ts"
import { ReminderPublisher } from "../services/scheduling/reminders/ReminderPublisher.ts"
import { unaudited } from "../services/Tenancy.ts"
import { noteFound } from "../services/traceparent.ts"
import { worker } from "./worker.ts"

/** One at a time in each process, at every whole multiple of `minutes` in UTC. A run that found 0 is not traced. */
const tick = <A, E, R>(
  queue: Extract<QueueName, `maintenance.${string}`>,
  minutes: number,
  run: Effect.Effect<A, E, R>
) => ({
  queue,
  minutes,
  worker: worker(queue, () => Effect.flatMap(run, (found) => noteFound(typeof found === "number" ? found : 1)), {
    concurrency: 1
  })
})

export const ticks = [
  /** Publishes the reminders that are due. Rule 6.6.3. */
  tick(
    "maintenance.reminders",
    1,
    Effect.flatMap(ReminderPublisher, (reminders) => reminders.publishDue())
  ),
  /** Records which holds have expired. */
  tick(
    "maintenance.holds",
    1,
    Effect.flatMap(ExpiredHolds, (holds) => holds.expireOverdue())
  ),
  /** Ends the appointments whose join window has closed. */
  tick(
    "maintenance.appointments",
    1,
    Effect.flatMap(FinishedAppointments, (finished) => finished.finishOverdue())
  ),
  /** Sends messages that have lost their job, or whose process died. */
  tick(
    "maintenance.messages",
    1,
    Effect.flatMap(MessageSender, (messages) => messages.sweep())
  ),
  /** Attempts deliveries that have lost their job, or whose process died. */
  tick(
    "maintenance.deliveries",
    1,
    Effect.flatMap(DeliveryRunner, (deliveries) => deliveries.sweep())
  ),
  /** Payout intents that have lost their job get a new one. */
  tick(
    "maintenance.payouts",
    5,
    Effect.flatMap(Routing, (routing) => routing.sweep())
  ),
  /** Makes the pharmacy orders that waited for a pharmacy and now have one. */
  tick(
    "maintenance.orders",
    5,
    Effect.flatMap(OrderIntake, (intake) => intake.retryWaiting())
  ),
  /** Erases orders of erased patients that were in progress and have ended. */
  tick(
    "maintenance.erasures",
    10,
    Effect.flatMap(Erasures, (erasures) => erasures.finish())
  ),
  /** Deletes rows whose retention period is over. */
  tick(
    "maintenance.retention",
    10,
    Effect.flatMap(Retention, (retention) => retention.deleteExpired())
  ),
  /** Seals new entries of the audit log into their chains. */
  tick(
    "maintenance.audit",
    1,
    Effect.flatMap(AuditChain, (chain) => unaudited(chain.seal()))
  ),
  /** Clears away what checkouts left that came to nothing. */
  tick(
    "maintenance.checkouts",
    10,
    Effect.flatMap(AbandonedCheckouts, (checkouts) => checkouts.sweep())
  )
]

type ContextOf<L> = L extends Layer.Layer<never, never, infer R> ? R : never

const workers: ReadonlyArray<Layer.Layer<never, never, ContextOf<(typeof ticks)[number]["worker"]>>> = ticks.map(
  (one) => one.worker
)

export const TickWorkers = workers
  .reduce((all, one) => Layer.merge(all, one), Layer.empty)
  .pipe(
    Layer.provide([
      ReminderPublisher.Default,
      ExpiredHolds.Default,
      FinishedAppointments.Default,
      DeliveryRunner.Default,
      MessageSender.Default,
      Routing.Default,
      OrderIntake.Default,
      Retention.Default,
      Erasures.Default,
      AbandonedCheckouts.Default,
      AuditChain.Default
    ])
  )

const MINUTE = 60_000
/** Processes' clocks differ from the database's, which knows the slot: a tick that comes too early finds the last one taken. */
const AFTER_THE_MINUTE = 1_000

/** Sends the ticks of each minute. A second process's tick falls into the slot of the first one's and is not stored. */
export const Ticking = Layer.scopedDiscard(
  Effect.gen(function* () {
    const boss = yield* Boss
    const sendDue = Effect.flatMap(Clock.currentTimeMillis, (now) =>
      Effect.forEach(
        ticks.filter(({ minutes }) => Math.floor(now / MINUTE) % minutes === 0),
        ({ queue, minutes }) =>
          Effect.tryPromise({
            try: () => boss.send(queue, { data: {} }, { singletonSeconds: minutes * 60 }),
            catch: (cause) => new SqlError.SqlError({ cause, message: "a tick was not stored" })
          }),
        { discard: true }
      )
    ).pipe(Effect.catchAll((error) => Effect.logWarning("ticks could not be sent", error)))
    const nextMinute = Effect.flatMap(Clock.currentTimeMillis, (now) =>
      Effect.sleep(MINUTE - (now % MINUTE) + AFTER_THE_MINUTE)
    )
    yield* Effect.forkScoped(Effect.forever(Effect.zipRight(sendDue, nextMinute)))
  })
)
