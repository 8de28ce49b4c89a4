/** Periodic tasks, run once per interval for any number of processes. */
import { SqlError } from "@effect/sql"
import { Clock, Effect, Exit, FiberMap, Layer } from "effect"
import { MINUTE } from "../schemas/seconds.ts"
import { AuditChain } from "../services/audit/AuditChain.ts"
import { AbandonedCheckouts } from "../services/checkout/acceptance/AbandonedCheckouts.ts"
import { OrderIntake } from "../services/checkout/intake/OrderIntake.ts"
import { DeliveryRunner } from "../services/events/DeliveryRunner.ts"
import { MessageSender } from "../services/notifications/MessageSender.ts"
import { Retention } from "../services/operation/Retention.ts"
import { Routing } from "../services/pharmacy/Routing.ts"
import { Boss } from "../services/queue/Jobs.ts"
import { intervalQueues, type PeriodicTask, periodicTasks } from "../services/queue/queues.ts"
import { Erasures } from "../services/rights/Erasures.ts"
import { OverdueAppointments } from "../services/scheduling/appointments/OverdueAppointments.ts"
import { BusySources } from "../services/scheduling/calendar/BusySources.ts"
import { Recalls } from "../services/scheduling/recalls/Recalls.ts"
import { ReminderPublisher } from "../services/scheduling/reminders/ReminderPublisher.ts"
import { Offers } from "../services/scheduling/waitlist/Offers.ts"
import { unaudited } from "../services/tenancy/Tenancy.ts"
import { annotateResultCount } from "../services/traceparent.ts"
import { asJob, NonRetryable, worker } from "./worker.ts"

/** Milliseconds that a run spends on the reminders of one organisation, so that the next minute's tasks are not delayed. */
const REMINDERS_OF_ONE = 20_000

/** The periodic tasks; each returns the number of rows that it found. */
export const tasks = {
  /** Publishes due reminders. Rule 6.6.3. */
  "maintenance.reminders": Effect.flatMap(ReminderPublisher, (reminders) => reminders.publishDue(REMINDERS_OF_ONE)),
  "maintenance.holds": Effect.flatMap(OverdueAppointments, (overdue) => overdue.expireHolds()),
  /** Finishes appointments whose join window has closed. */
  "maintenance.appointments": Effect.flatMap(OverdueAppointments, (overdue) => overdue.finish()),
  /** Sends messages without a job, or whose process died. */
  "maintenance.messages": Effect.flatMap(MessageSender, (messages) => messages.sweep()),
  /** Attempts deliveries without a job, or whose process died. */
  "maintenance.deliveries": Effect.flatMap(DeliveryRunner, (deliveries) => deliveries.sweep()),
  /** Creates jobs for payout intents without one. */
  "maintenance.payouts": Effect.flatMap(Routing, (routing) => routing.sweep()),
  /** Creates pharmacy orders that waited for a pharmacy and now have one. */
  "maintenance.orders": Effect.flatMap(OrderIntake, (intake) => intake.retryWaiting()),
  /** Erases orders of erased patients that were in progress at the erasure and are now complete. */
  "maintenance.erasures": Effect.flatMap(Erasures, (erasures) => erasures.finish()),
  /** Deletes rows whose retention period has ended. */
  "maintenance.retention": Effect.flatMap(Retention, (retention) => retention.deleteExpired()),
  /** Reads due calendars kept elsewhere. Rule 3.12. */
  "maintenance.calendars": Effect.flatMap(BusySources, (sources) => sources.readDue()),
  /** Publishes due recalls. Rule 3.13. */
  "maintenance.recalls": Effect.flatMap(Recalls, (recalls) => recalls.sendDue()),
  /** Offers free time that its own transaction did not, and ends offers left unanswered. Section 19. */
  "maintenance.waitlist": Effect.flatMap(Offers, (offers) => offers.runDue()),
  /** Seals new entries of the audit log into their chains. */
  "maintenance.audit": Effect.flatMap(AuditChain, (chain) => unaudited(chain.seal())),
  /** Deletes leftovers of abandoned checkouts. */
  "maintenance.checkouts": Effect.flatMap(AbandonedCheckouts, (checkouts) => checkouts.sweep())
} satisfies Record<PeriodicTask, unknown>

const taskNames = Object.keys(periodicTasks) as ReadonlyArray<PeriodicTask> // an object's keys are its type's

type Services = Effect.Effect.Context<(typeof tasks)[PeriodicTask]>

/** Runs one task as a job. A run that found nothing is not traced. */
const runTask = (name: PeriodicTask) => {
  const run: Effect.Effect<number, never, Services> = tasks[name]
  return asJob(name, {})(Effect.flatMap(run, annotateResultCount))
}

/**
 * Runs all tasks of an interval in parallel; a failure does not stop the others. Messages are sent in the background, at most one sweep per
 * process, so that a mail server that hangs does not delay the next minute's reminders.
 */
const runTasksOf = (minutes: keyof typeof intervalQueues, background: FiberMap.FiberMap<PeriodicTask>) =>
  Effect.partition(
    taskNames.filter((name) => periodicTasks[name] === minutes),
    (name) =>
      name === "maintenance.messages"
        ? FiberMap.run(background, name, runTask(name), { onlyIfMissing: true })
        : Effect.flatMap(runTask(name), (exit) => (Exit.isSuccess(exit) ? Effect.void : Effect.fail(name))),
    { concurrency: "unbounded" }
  ).pipe(
    Effect.filterOrFail(
      ([failed]) => failed.length === 0,
      ([failed]) => new NonRetryable({ reason: `failed: ${failed.join(", ")}` })
    )
  )

const singleConcurrency = { concurrency: 1 } as const

export const TickWorkers = Layer.unwrapScoped(
  Effect.map(FiberMap.make<PeriodicTask>(), (background) =>
    Layer.mergeAll(
      worker(intervalQueues[1], () => runTasksOf(1, background), singleConcurrency),
      worker(intervalQueues[5], () => runTasksOf(5, background), singleConcurrency),
      worker(intervalQueues[10], () => runTasksOf(10, background), singleConcurrency)
    )
  )
).pipe(
  Layer.provide([
    ReminderPublisher.Default,
    OverdueAppointments.Default,
    BusySources.Default,
    Recalls.Default,
    Offers.Default,
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

const MINUTE_MILLIS = MINUTE * 1_000
/** Margin for clock skew: a tick that is sent early falls into the database's previous slot and is not stored. */
const SKEW_MARGIN_MILLIS = 1_000

/** Sends a tick every minute. Ticks of further processes fall into the same slot and are not stored. */
export const Ticking = Layer.scopedDiscard(
  Effect.gen(function* () {
    const boss = yield* Boss
    const sendDue = Effect.flatMap(Clock.currentTimeMillis, (now) =>
      Effect.forEach(
        Object.entries(intervalQueues).filter(([minutes]) => Math.floor(now / MINUTE_MILLIS) % Number(minutes) === 0),
        ([minutes, queue]) =>
          Effect.tryPromise({
            try: () => boss.send(queue, { data: {} }, { singletonSeconds: Number(minutes) * MINUTE }),
            catch: (cause) => new SqlError.SqlError({ cause, message: "a tick was not stored" })
          }),
        { discard: true }
      )
    ).pipe(Effect.catchAll((error) => Effect.logWarning("ticks could not be sent", error)))
    const nextMinute = Effect.flatMap(Clock.currentTimeMillis, (now) =>
      Effect.sleep(MINUTE_MILLIS - (now % MINUTE_MILLIS) + SKEW_MARGIN_MILLIS)
    )
    yield* Effect.forkScoped(Effect.forever(Effect.zipRight(sendDue, nextMinute)))
  })
)
