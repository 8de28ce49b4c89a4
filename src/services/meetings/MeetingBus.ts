import { SqlClient } from "@effect/sql"
import { Data, Effect, Queue, Schedule, Schema, Stream } from "effect"
import { BusMessage } from "../../schemas/meetings/Signal.ts"
import { DatabaseSessions } from "../DatabaseSessions.ts"

const CHANNEL = "sprechstunde_meetings"
const BEAT = "beat"
/** PostgreSQL takes notifications of less than 8,000 bytes. */
const LARGEST = 7_900
/** A listening connection that hears not even our own beat for so long is dead, though nothing says so. */
const SILENCE = "10 seconds"
const BEATS = "4 seconds"
const INTERRUPTED =
  "Meeting messages are interrupted, listening again. Behind a pooler in transaction mode this needs DATABASE_URL_DIRECT"

class BusSilent extends Data.TaggedError("BusSilent") {}

const Wire = Schema.parseJson(BusMessage)
const encode = Schema.encodeSync(Wire)
const decode = Schema.decodeUnknown(Wire)

/** Session descriptions are long and repetitive: compressed, they fit. */
const pack = (message: BusMessage) => Bun.deflateSync(Buffer.from(encode(message))).toBase64()
const unpack = (payload: string) =>
  Effect.flatMap(
    Effect.try(() => new TextDecoder().decode(Bun.inflateSync(Uint8Array.fromBase64(payload)))),
    decode
  )

/**
 * Carries what the seats of a meeting room say to each other, to every replica, over PostgreSQL's notifications:
 * nothing is stored, nothing outlives the moment, and no further server has to run. A lost message does no harm, since
 * seats repeat who they are and browsers repeat what was not answered.
 */
export class MeetingBus extends Effect.Service<MeetingBus>()("meetings/MeetingBus", {
  scoped: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { listen } = yield* DatabaseSessions
    const rooms = new Map<string, Set<Queue.Queue<BusMessage>>>()

    const notify = (payload: string) => sql`SELECT pg_notify(${CHANNEL}, ${payload})`
    const receive = Effect.fnUntraced(function* (payload: string) {
      if (payload === BEAT) return
      const message = yield* unpack(payload)
      for (const queue of rooms.get(message.room) ?? []) yield* Queue.offer(queue, message)
    })

    yield* listen(CHANNEL).pipe(
      Stream.timeoutFail(() => new BusSilent(), SILENCE),
      Stream.runForEach((payload) =>
        receive(payload).pipe(Effect.catchAll(() => Effect.logWarning("Passed over an unreadable meeting message")))
      ),
      Effect.catchAllCause((cause) => Effect.logWarning(INTERRUPTED, cause)),
      Effect.repeat(Schedule.spaced("1 second")),
      Effect.forkScoped
    )
    yield* notify(BEAT).pipe(
      Effect.catchAll((error) => Effect.logWarning("The meeting bus has no database", error)),
      Effect.repeat(Schedule.spaced(BEATS)),
      Effect.forkScoped
    )

    /** Tells every seat of the message's room, on every replica, this one included. */
    const publish = Effect.fn("MeetingBus.publish")(
      function* (message: BusMessage) {
        const payload = pack(message)
        if (payload.length > LARGEST) return yield* Effect.logWarning("A meeting message is too large to be passed on")
        yield* notify(payload)
      },
      Effect.catchTag("SqlError", (error) => Effect.logWarning("A meeting message was lost", error))
    )

    /** What is said in a room from now on, until the scope closes. */
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

    return { publish, subscribe } as const
  })
}) {}
