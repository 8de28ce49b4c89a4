/** What happens by the clock, once for any number of processes. */
import { SqlError } from "@effect/sql"
import { Clock, Effect, Exit, Layer } from "effect"
import { AuditChain } from "../services/audit/AuditChain.ts"
import { AbandonedCheckouts } from "../services/checkout/acceptance/AbandonedCheckouts.ts"
import { OrderIntake } from "../services/checkout/intake/OrderIntake.ts"
import { DeliveryRunner } from "../services/events/DeliveryRunner.ts"
import { MessageSender } from "../services/notifications/MessageSender.ts"
import { Retention } from "../services/operation/Retention.ts"
import { Erasures } from "../services/patients/Erasures.ts"
import { Routing } from "../services/pharmacy/Routing.ts"
import { Boss } from "../services/queue/Jobs.ts"
import { intervalQueues, type PeriodicTask, periodicTasks } from "../services/queue/queues.ts"
import { ExpiredHolds } from "../services/scheduling/appointments/ExpiredHolds.ts"
import { FinishedAppointments } from "../services/scheduling/appointments/FinishedAppointments.ts"
import { ReminderPublisher } from "../services/scheduling/reminders/ReminderPublisher.ts"
import { unaudited } from "../services/tenancy/Tenancy.ts"
import { annotateResultCount } from "../services/traceparent.ts"
import { asJob, NonRetryable, worker } from "./worker.ts"

/** What each periodic task does. The number is that of the rows it found. */
export const tasks = {
  /** Publishes the reminders that are due. Rule 6.6.3. */
  "maintenance.reminders": Effect.flatMap(ReminderPublisher, (reminders) => reminders.publishDue()),
  /** Records which holds have expired. */
  "maintenance.holds": Effect.flatMap(ExpiredHolds, (holds) => holds.expireOverdue()),
  /** Ends the appointments whose join window has closed. */
  "maintenance.appointments": Effect.flatMap(FinishedAppointments, (finished) => finished.finishOverdue()),
  /** Sends messages that have lost their job, or whose process died. */
  "maintenance.messages": Effect.flatMap(MessageSender, (messages) => messages.sweep()),
  /** Attempts deliveries that have lost their job, or whose process died. */
  "maintenance.deliveries": Effect.flatMap(DeliveryRunner, (deliveries) => deliveries.sweep()),
  /** Payout intents that have lost their job get a new one. */
  "maintenance.payouts": Effect.flatMap(Routing, (routing) => routing.sweep()),
  /** Makes the pharmacy orders that waited for a pharmacy and now have one. */
  "maintenance.orders": Effect.flatMap(OrderIntake, (intake) => intake.retryWaiting()),
  /** Erases orders of erased patients that were in progress and have ended. */
  "maintenance.erasures": Effect.flatMap(Erasures, (erasures) => erasures.finish()),
  /** Deletes rows whose retention period is over. */
  "maintenance.retention": Effect.flatMap(Retention, (retention) => retention.deleteExpired()),
  /** Seals new entries of the audit log into their chains. */
  "maintenance.audit": Effect.flatMap(AuditChain, (chain) => unaudited(chain.seal())),
  /** Clears away what checkouts left that came to nothing. */
  "maintenance.checkouts": Effect.flatMap(AbandonedCheckouts, (checkouts) => checkouts.sweep())
} satisfies Record<PeriodicTask, unknown>

const taskNames = Object.keys(periodicTasks) as ReadonlyArray<PeriodicTask> // an object's keys are its type's

type Services = Effect.Effect.Context<(typeof tasks)[PeriodicTask]>

/** Carries out one task as a job. A run that found nothing is not traced. */
const carryOut = (name: PeriodicTask) => {
  const run: Effect.Effect<number, never, Services> = tasks[name]
  return asJob(name, {})(Effect.flatMap(run, annotateResultCount))
}

/** Has all tasks of the interval run side by side; one that fails does not stop the others. */
const carryOutAll = (minutes: keyof typeof intervalQueues) =>
  Effect.partition(
    taskNames.filter((name) => periodicTasks[name] === minutes),
    (name) => Effect.flatMap(carryOut(name), (exit) => (Exit.isSuccess(exit) ? Effect.void : Effect.fail(name))),
    { concurrency: "unbounded" }
  ).pipe(
    Effect.filterOrFail(
      ([failed]) => failed.length === 0,
      ([failed]) => new NonRetryable({ reason: `failed: ${failed.join(", ")}` })
    )
  )

const alone = { concurrency: 1 } as const

export const TickWorkers = Layer.mergeAll(
  worker(intervalQueues[1], () => carryOutAll(1), alone),
  worker(intervalQueues[5], () => carryOutAll(5), alone),
  worker(intervalQueues[10], () => carryOutAll(10), alone)
).pipe(
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
        Object.entries(intervalQueues).filter(([minutes]) => Math.floor(now / MINUTE) % Number(minutes) === 0),
        ([minutes, queue]) =>
          Effect.tryPromise({
            try: () => boss.send(queue, { data: {} }, { singletonSeconds: Number(minutes) * 60 }),
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
