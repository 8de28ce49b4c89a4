import { SqlClient } from "@effect/sql"
import { Cause, Clock, Data, Effect, Option, Queue, Schedule, Schema, Stream } from "effect"
import { DatabaseSessions } from "../../../services/database/DatabaseSessions.ts"
import { BusMessage } from "../schemas/Signal.ts"

const CHANNEL = "sprechstunde_meetings"
const HEARTBEAT = "beat"
/** PostgreSQL limits notifications to less than 8,000 bytes. */
const PAYLOAD_MAX = 7_900
/** Milliseconds without our own heartbeat after which a listening connection counts as dead, even without an error. */
const SILENCE_MAX_MS = 10_000
const HEARTBEAT_INTERVAL = "4 seconds"
/** While no participant is connected to this process, only one in this many heartbeats is sent. */
const IDLE_SHARE = 8
const INTERRUPTED = "Meeting messages are interrupted, listening again"
/** Silences in a row after which the cause is not a slow start. */
const SILENCES_MIN = 3
const NEVER_HEARD = "No meeting message arrives. Behind a pooler in transaction mode this needs DATABASE_URL_DIRECT"

class BusSilent extends Data.TaggedError("BusSilent") {}

const BusMessageJson = Schema.parseJson(BusMessage)
const encode = Schema.encodeSync(BusMessageJson)
const decode = Schema.decodeUnknown(BusMessageJson)

/** Session descriptions are long and repetitive: compressed, they fit. */
const pack = (message: BusMessage) => Bun.deflateSync(Buffer.from(encode(message))).toBase64()
const unpack = (payload: string) =>
  Effect.flatMap(
    Effect.try(() => new TextDecoder().decode(Bun.inflateSync(Uint8Array.fromBase64(payload)))),
    decode
  )

/**
 * Carries messages between participants of meeting rooms to every replica with LISTEN/NOTIFY. Nothing is stored. A lost message is
 * harmless: participants announce themselves periodically and browsers retry what was not answered.
 */
export class MeetingBus extends Effect.Service<MeetingBus>()("meetings/MeetingBus", {
  scoped: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const notify = (payload: string) => sql`SELECT pg_notify(${CHANNEL}, ${payload})`

    /** Sends to every participant of the message's room, on every replica including this one. Inside a transaction: on commit. */
    const publish = Effect.fn("MeetingBus.publish")(
      function* (message: BusMessage) {
        const payload = pack(message)
        if (payload.length > PAYLOAD_MAX) return yield* Effect.logWarning("A meeting message is too large to be sent")
        yield* notify(payload)
      },
      Effect.catchTag("SqlError", (error) => Effect.logWarning("A meeting message was lost", error))
    )
    const { listen } = yield* DatabaseSessions
    const rooms = new Map<string, Set<Queue.Queue<BusMessage>>>()
    const listeners: Array<(message: BusMessage) => Effect.Effect<void>> = []

    /** When the oldest outstanding heartbeat was sent, in milliseconds. */
    let silentSince: number | undefined
    /** Whether a heartbeat has ever arrived: then the connection is of the right kind. */
    let hasHeard = false
    /** Whether the database took all heartbeats since this listening began. */
    let areSent = true
    /** How many times in a row nothing was heard of what the database took, before the first heartbeat arrived. */
    let silences = 0

    const receive = Effect.fnUntraced(function* (payload: string) {
      if (payload === HEARTBEAT) {
        silentSince = undefined
        hasHeard = true
        return
      }
      const message = yield* unpack(payload)
      for (const listener of listeners) yield* listener(message)
      for (const queue of rooms.get(message.room) ?? []) yield* Queue.offer(queue, message)
    })

    const listening = Stream.runForEach(listen(CHANNEL), (payload) =>
      receive(payload).pipe(Effect.catchAll(() => Effect.logWarning("Passed over an unreadable meeting message")))
    )
    /** Fails if our own heartbeats are not received. */
    const watching = Effect.suspend(() => {
      silentSince = undefined
      areSent = true
      let turn = 0
      const beat = Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        if (silentSince !== undefined && now - silentSince > SILENCE_MAX_MS) return yield* new BusSilent()
        if (turn++ % IDLE_SHARE !== 0 && rooms.size === 0 && silentSince === undefined) return
        silentSince ??= now
        yield* notify(HEARTBEAT).pipe(
          Effect.catchTag("SqlError", (error) => {
            areSent = false
            return Effect.logWarning("The meeting bus has no database", error)
          })
        )
      })
      return Effect.repeat(beat, Schedule.spaced(HEARTBEAT_INTERVAL))
    })
    const scope = yield* Effect.scope
    /** Listens from now on; commands, which have no use for it, do not call it. */
    const start = yield* Effect.raceFirst(listening, watching).pipe(
      Effect.catchAllCause((cause) => {
        const isSilent = Option.exists(Cause.failureOption(cause), ({ _tag }) => _tag === "BusSilent")
        silences = isSilent && areSent && !hasHeard ? silences + 1 : 0
        return Effect.logWarning(silences >= SILENCES_MIN ? NEVER_HEARD : INTERRUPTED, cause)
      }),
      Effect.repeat(Schedule.spaced("1 second")),
      Effect.forkIn(scope),
      Effect.once
    )

    /** Messages of a room from now on, until the scope closes. */
    const subscribe = (room: string) =>
      Effect.acquireRelease(
        Effect.tap(Effect.zipRight(start, Queue.sliding<BusMessage>(1_000)), (queue) =>
          Effect.sync(() => rooms.set(room, (rooms.get(room) ?? new Set()).add(queue)))
        ),
        (queue) =>
          Effect.sync(() => {
            const queues = rooms.get(room)
            queues?.delete(queue)
            if (queues?.size === 0) rooms.delete(room)
          })
      )

    /** Calls `listener` with the messages of every room, for the life of the bus. */
    const onEvery = (listener: (message: BusMessage) => Effect.Effect<void>) =>
      Effect.sync(() => listeners.push(listener))

    return { publish, start, subscribe, onEvery } as const
  })
}) {}
