/**
 * Logs an outage of the database, or of one of its nodes, as one line at its start and one at its end, instead of every failure that it
 * causes.
 */
import { SqlError } from "@effect/sql"
import {
  Cause,
  Duration,
  Effect,
  FiberRef,
  FiberSet,
  HashSet,
  Layer,
  Logger,
  LogLevel,
  Predicate,
  Redacted
} from "effect"
import { isTransient, isTransientCause, nodeAwayIn, sqlStateOf } from "../../services/database/SqlErrors.ts"
import { withClient } from "../../services/database/withClient.ts"
import { errorsOf } from "../../services/errorKinds.ts"
import { DatabaseUrl } from "../Database.ts"
import { connectionTo } from "../postgres/hosts.ts"

/** SQLSTATEs of transaction conflicts, which are transient but not an outage. */
const CONFLICTS = new Set(["40001", "40P01", "55P03"])
const PROBE_MILLIS = 1_000
/** Time for failures from before the end to be logged. */
const SETTLE_MILLIS = 3_000

/** All errors in a logged value, with their causes. */
const errorsIn = (value: unknown, depth = 0): ReadonlyArray<unknown> => {
  if (depth > 5 || value === null || typeof value !== "object") return []
  if (Array.isArray(value)) return value.flatMap((one) => errorsIn(one, depth + 1))
  if (Cause.isCause(value)) return errorsOf(value).flatMap((one) => errorsIn(one, depth + 1))
  const wrapped = ["cause", "error"].flatMap((key) =>
    Predicate.hasProperty(value, key) ? errorsIn(value[key], depth + 1) : []
  )
  return [value, ...wrapped]
}

const isOutage = (error: unknown) =>
  error instanceof SqlError.SqlError && isTransient(error) && !CONFLICTS.has(sqlStateOf(error) ?? "")

/** A LISTEN connection is silent or has ended, which an outage causes. */
const isItsConsequence = (error: unknown) => Predicate.isTagged(error, "BusSilent") || isTransientCause(error)

/** Whether the database answers, or reaches this node of its own. */
const answers = (url: string, node: string | undefined) =>
  withClient({ ...connectionTo(url), connectionTimeoutMillis: 3_000 }, async (client) => {
    if (node === undefined) return await client.query("SELECT 1").then(() => true)
    const { rows } = await client.query("SELECT reaches_node($1, $2) AS answers", [
      node.slice(0, node.lastIndexOf(":")),
      Number(node.slice(node.lastIndexOf(":") + 1))
    ])
    return rows[0]?.answers === true
  }).catch(() => false)

/** Replaces the loggers of dependent layers by ones that suppress failures during an outage. */
export const OutagesSummarised = Layer.scopedDiscard(
  Effect.gen(function* () {
    const url = Redacted.value(yield* DatabaseUrl)
    const fork = yield* FiberSet.makeRuntime<never>()
    /** The loggers that have logged each outage, by its node. */
    const outages = new Map<string | undefined, Set<object>>()

    const untilOver = (node: string | undefined) =>
      Effect.promise(() => answers(url, node)).pipe(
        Effect.delay(PROBE_MILLIS),
        Effect.repeat({ until: (answered) => answered })
      )
    const named = (node: string | undefined) => (node === undefined ? "The database" : `The database's node ${node}`)
    const watch = Effect.fnUntraced(function* (node: string | undefined) {
      const [duration] = yield* Effect.timed(untilOver(node))
      yield* Effect.sleep(SETTLE_MILLIS)
      outages.delete(node)
      yield* Effect.logInfo(`${named(node)} answers again after ${Math.round(Duration.toSeconds(duration))} seconds`)
    })

    const summarised = (inner: Logger.Logger<unknown, unknown>) =>
      Logger.make((options) => {
        const errors = [...errorsIn(options.message), ...errorsIn(options.cause)]
        if (outages.has(undefined) && !errors.some(isOutage) && errors.some(isItsConsequence)) return
        const outage = errors.find(isOutage)
        if (outage === undefined) return inner.log(options)
        const node = nodeAwayIn(outage)
        const silent = outages.get(node) ?? new Set()
        if (silent.has(inner)) return
        silent.add(inner)
        if (!outages.has(node)) {
          outages.set(node, silent)
          fork(watch(node))
        }
        const reason = sqlStateOf(outage) ?? "connection broken"
        return inner.log({
          ...options,
          logLevel: LogLevel.Error,
          message: [`${named(node)} does not answer (${reason}). What fails for it is logged again once it does`],
          cause: Cause.empty
        })
      })
    yield* Effect.locallyScopedWith(FiberRef.currentLoggers, HashSet.map(summarised))
  })
)
