/** The waiting participants, as announced to every replica. */
import { expect, test } from "bun:test"
import { Effect, Layer, TestClock, TestContext } from "effect"
import type { BusMessage } from "../../../src/capabilities/video/schemas/Signal.ts"
import { MeetingBus } from "../../../src/capabilities/video/services/MeetingBus.ts"
import { HEARTBEAT_MS } from "../../../src/capabilities/video/services/participant.ts"
import { WaitingRooms } from "../../../src/capabilities/video/services/WaitingRooms.ts"

const here = (room: string): BusMessage => ({
  kind: "here",
  room,
  appointment: "apt",
  reply: false,
  from: { id: `patient of ${room}`, session: "s", opened: 0, name: "A", role: "patient", since: 0, admitted_by: [] }
})

test("silent participants are removed, even from rooms without traffic", async () => {
  const listeners: Array<(message: BusMessage) => Effect.Effect<void>> = []
  const bus = new MeetingBus({
    publish: () => Effect.void,
    start: Effect.void,
    subscribe: () => Effect.die("nobody subscribes"),
    onEvery: (hear) => Effect.sync(() => listeners.push(hear))
  })
  const broadcast = (message: BusMessage) => Effect.forEach(listeners, (listener) => listener(message))
  const program = Effect.gen(function* () {
    const waiting = yield* WaitingRooms
    yield* TestClock.adjust(1)
    yield* broadcast(here("one"))
    yield* broadcast(here("other"))
    expect([waiting.changedAt(), yield* waiting.waitingSince("one", "patient of one")]).toEqual([1, 0])
    yield* TestClock.adjust(3 * HEARTBEAT_MS + 1)
    yield* broadcast(here("third"))
    expect([waiting.changedAt(), yield* waiting.waitingSince("one", "patient of one")]).toEqual([
      3 * HEARTBEAT_MS + 2,
      undefined
    ])
  })
  const rooms = WaitingRooms.DefaultWithoutDependencies.pipe(
    Layer.provide(Layer.succeed(MeetingBus, bus)),
    Layer.provideMerge(TestContext.TestContext)
  )
  await Effect.runPromise(Effect.provide(program, rooms))
})
