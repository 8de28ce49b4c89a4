/** Presence in the meeting rooms of the whole service, as announced by the participants. Nothing is stored. */
import { Clock, Effect } from "effect"
import { Service } from "../../../services/Service.ts"
import type { Member } from "../schemas/Signal.ts"
import { MeetingBus } from "./MeetingBus.ts"
import { HEARTBEAT_MS } from "./participant.ts"

/** A participant without an announcement for this long has lost the connection. */
const GONE_MS = 3 * HEARTBEAT_MS

interface Seen {
  readonly member: Member
  readonly at: number
}

export class WaitingRooms extends Service<WaitingRooms>()("meetings/WaitingRooms", {
  scoped: Effect.gen(function* () {
    const bus = yield* MeetingBus
    const rooms = new Map<string, Map<string, Seen>>()
    let changed_at = 0
    let swept = 0

    const isWaiting = ({ role, admitted_by }: Member) => role === "patient" && admitted_by.length === 0

    const leave = (name: string, room: Map<string, Seen>, id: string, now: number) => {
      if (room.delete(id)) changed_at = now
      if (room.size === 0) rooms.delete(name)
    }

    /** Removes stale members: the rooms of a dead replica send nothing more. */
    const sweep = (now: number) => {
      if (now - swept <= GONE_MS) return
      swept = now
      for (const [name, room] of rooms)
        for (const [id, { at }] of room) if (now - at > GONE_MS) leave(name, room, id, now)
    }

    yield* bus.onEvery((message) =>
      Effect.map(Clock.currentTimeMillis, (now) => {
        sweep(now)
        const room = rooms.get(message.room) ?? new Map<string, Seen>()
        if (message.kind === "here") {
          const before = room.get(message.from.id)
          if (before === undefined || isWaiting(before.member) !== isWaiting(message.from)) changed_at = now
          rooms.set(message.room, room.set(message.from.id, { member: message.from, at: now }))
        } else if (message.kind === "gone") leave(message.room, room, message.from, now)
      })
    )

    /** Since when the patient has been waiting, in Unix seconds; undefined if the patient is not in the waiting room. */
    const waitingSince = Effect.fn("WaitingRooms.waitingSince")(function* (room: string, patient: string) {
      const now = yield* Clock.currentTimeMillis
      const seen = rooms.get(room)?.get(patient)
      const waits = seen !== undefined && now - seen.at <= GONE_MS && isWaiting(seen.member)
      return waits ? Math.floor(seen.member.since / 1000) : undefined
    })

    /** When a participant of any room last came, left or was admitted, in Unix milliseconds. */
    return { waitingSince, changedAt: () => changed_at } as const
  }),
  dependencies: [MeetingBus.Default]
}) {}
