import { SqlClient } from "@effect/sql"
import { Clock, Data, Effect, Queue, Schedule, Schema, Stream } from "effect"
import { BusMessage } from "../../schemas/meetings/Signal.ts"
import { DatabaseSessions } from "../database/DatabaseSessions.ts"

const CHANNEL = "sprechstunde_meetings"
const HEARTBEAT = "beat"
/** PostgreSQL takes notifications of less than 8,000 bytes. */
const PAYLOAD_MAX = 7_900
/** Milliseconds for which a listening connection may not get our own heartbeat: it is dead then, though no error says so. */
const SILENCE_MS = 10_000
const HEARTBEAT_INTERVAL = "4 seconds"
/** While nobody of this process is in a room, only one in so many heartbeats is sent. */
const IDLE_SHARE = 8
const INTERRUPTED =
  "Meeting messages are interrupted, listening again. Behind a pooler in transaction mode this needs DATABASE_URL_DIRECT"

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

/** Sends to the participants of a room. Inside a transaction the message leaves with its commit. */
export class MeetingSender extends Effect.Service<MeetingSender>()("meetings/MeetingSender", {
  effect: Effect.map(SqlClient.SqlClient, (sql) => {
    const notify = (payload: string) => sql`SELECT pg_notify(${CHANNEL}, ${payload})`

    /** Sends to every participant of the message's room, on every replica, this one included. */
    const publish = Effect.fn("MeetingSender.publish")(
      function* (message: BusMessage) {
        const payload = pack(message)
        if (payload.length > PAYLOAD_MAX) return yield* Effect.logWarning("A meeting message is too large to be sent")
        yield* notify(payload)
      },
      Effect.catchTag("SqlError", (error) => Effect.logWarning("A meeting message was lost", error))
    )
    return { publish, notify } as const
  })
}) {}

/**
 * Carries the messages between the participants of meeting rooms, to every replica, by PostgreSQL's notifications. Nothing is
 * stored. A lost message does no harm: participants announce themselves again and browsers repeat what was not answered.
 */
export class MeetingBus extends Effect.Service<MeetingBus>()("meetings/MeetingBus", {
  scoped: Effect.gen(function* () {
    const { publish, notify } = yield* MeetingSender
    const { listen } = yield* DatabaseSessions
    const rooms = new Map<string, Set<Queue.Queue<BusMessage>>>()
    const listeners: Array<(message: BusMessage) => Effect.Effect<void>> = []

    /** When the oldest heartbeat was sent that has not come back, in milliseconds. */
    let silentSince: number | undefined

    const receive = Effect.fnUntraced(function* (payload: string) {
      if (payload === HEARTBEAT) {
        silentSince = undefined
        return
      }
      const message = yield* unpack(payload)
      for (const listener of listeners) yield* listener(message)
      for (const queue of rooms.get(message.room) ?? []) yield* Queue.offer(queue, message)
    })

    const listening = Stream.runForEach(listen(CHANNEL), (payload) =>
      receive(payload).pipe(Effect.catchAll(() => Effect.logWarning("Passed over an unreadable meeting message")))
    )
    /** Fails when our own heartbeats do not come back. */
    const watching = Effect.suspend(() => {
      silentSince = undefined
      let turn = 0
      const beat = Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        if (silentSince !== undefined && now - silentSince > SILENCE_MS) return yield* new BusSilent()
        if (turn++ % IDLE_SHARE !== 0 && rooms.size === 0 && silentSince === undefined) return
        silentSince ??= now
        yield* notify(HEARTBEAT).pipe(
          Effect.catchTag("SqlError", (error) => Effect.logWarning("The meeting bus has no database", error))
        )
      })
      return Effect.repeat(beat, Schedule.spaced(HEARTBEAT_INTERVAL))
    })
    yield* Effect.raceFirst(listening, watching).pipe(
      Effect.catchAllCause((cause) => Effect.logWarning(INTERRUPTED, cause)),
      Effect.repeat(Schedule.spaced("1 second")),
      Effect.forkScoped
    )

    /** Messages of a room from now on, until the scope closes. */
    const subscribe = (room: string) =>
      Effect.acquireRelease(
        Effect.tap(Queue.sliding<BusMessage>(1_000), (queue) =>
          Effect.sync(() => rooms.set(room, (rooms.get(room) ?? new Set()).add(queue)))
        ),
        (queue) =>
          Effect.sync(() => {
            const queues = rooms.get(room)
            queues?.delete(queue)
            if (queues?.size === 0) rooms.delete(room)
          })
      )

    /** Calls `listener` with the messages of every room, for as long as the bus is there. */
    const onEvery = (listener: (message: BusMessage) => Effect.Effect<void>) =>
      Effect.sync(() => listeners.push(listener))

    return { publish, subscribe, onEvery } as const
  }),
  dependencies: [MeetingSender.Default]
}) {}
