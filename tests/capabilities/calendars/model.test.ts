/** Random changes on both sides and processes that die at every step: at the end both sides agree with the rules (Rules 3.15.3 to 3.15.5). */
import { expect, test } from "bun:test"
import { Effect, Exit, Layer } from "effect"
import {
  type Access,
  type CalendarProvider,
  CalendarProviders,
  ProviderFailed,
  type WrittenEntry
} from "../../../src/capabilities/calendars/services/connections/CalendarProviders.ts"
import { CalendarSync } from "../../../src/capabilities/calendars/services/connections/CalendarSync.ts"
import { Connections } from "../../../src/capabilities/calendars/services/connections/Connections.ts"
import { AppointmentUid, DoctorUid } from "../../../src/schemas/ids.ts"
import { Database } from "../../../src/services/database/Database.ts"
import type { BookingFact } from "../../../src/services/scheduling/booking/bookingFacts.ts"
import { onlyOwner } from "../../../src/services/tenancy/Tenancy.ts"
import { numbersFrom } from "../../support/numbers.ts"
import { DAY, makePractice } from "../../support/practice.ts"
import { sized } from "../../support/scale.ts"
import { sandboxLayers } from "../../support/server.ts"

const layers = sandboxLayers()
const STEPS = sized(1_000, 10_000)

interface There {
  readonly id: string
  readonly key: string | null
  readonly start: number
  readonly end: number
}

/** A calendar in memory, whose caller dies before or after a call. */
const makeCalendar = () => {
  const entries = new Map<string, There>()
  const log: Array<{ readonly id: string; readonly entry: There | undefined }> = []
  const faults: Array<string> = []
  /** Keys whose entry the doctor has removed after it was known here, until it is put back. */
  const removed = new Set<string>()
  let [made, calls] = [0, 0]
  let killed: { readonly at: number; readonly isAfter: boolean } | undefined
  let failing: ProviderFailed | undefined
  let isLost = false
  const set = (id: string, entry: There | undefined) => {
    if (entry === undefined) entries.delete(id)
    else entries.set(id, entry)
    log.push({ id, entry })
  }
  const call = <A>(work: () => Effect.Effect<A, ProviderFailed>) =>
    Effect.suspend(() => {
      calls++
      const isNow = killed?.at === calls
      if (isNow && killed?.isAfter === false) return Effect.die("killed before the call")
      if (failing !== undefined) return failing
      return isNow ? Effect.zipRight(work(), Effect.die("killed after the call")) : work()
    })
  const written = ({ key, start, end }: WrittenEntry, id: string): There => ({ id, key, start, end })
  const absent = new ProviderFailed({ reason: "absent" })
  const provider: CalendarProvider = {
    calendars: () => Effect.succeed([{ id: "one", name: "One", account: "ada", isDefault: true }]),
    changes: (_: Access, { token }) =>
      call(() => {
        if (token !== null && isLost) {
          isLost = false
          return new ProviderFailed({ reason: "token_lost" })
        }
        const some =
          token === null
            ? [...entries].map(([id, entry]) => ({ id, entry }))
            : log.slice(Number(token)).map(({ id }) => ({ id, entry: entries.get(id) }))
        return Effect.succeed({
          entries: some.map(({ id, entry }) => ({
            ...{ id, key: entry?.key ?? null, isGone: entry === undefined, isBlocking: true },
            ...{ start: entry?.start ?? 0, end: entry?.end ?? 0 }
          })),
          isWhole: token === null,
          token: String(log.length)
        })
      }),
    find: (_, __, key) => call(() => Effect.succeed([...entries.values()].find((one) => one.key === key)?.id ?? null)),
    create: (_, __, entry) =>
      call(() => {
        if ([...entries.values()].some(({ key }) => key === entry.key)) faults.push(`${entry.key} made twice`)
        if (removed.has(entry.key)) faults.push(`${entry.key} made again`)
        const id = `e${made++}`
        set(id, written(entry, id))
        return Effect.succeed(id)
      }),
    change: (_, __, id, entry) =>
      call(() => (entries.has(id) ? Effect.sync(() => set(id, written(entry, id))) : absent)),
    remove: (_, __, id) => call(() => Effect.sync(() => set(id, undefined))),
    subscribe: () => Effect.succeed(null),
    unsubscribe: () => Effect.void
  }
  return {
    entries,
    faults,
    removed,
    provider,
    set,
    kill: (at: number, isAfter: boolean) => {
      killed = { at: calls + at, isAfter }
    },
    spare: () => {
      killed = undefined
    },
    fail: (reason: ProviderFailed["reason"] | undefined) => {
      failing = reason && new ProviderFailed({ reason, after: 60 })
    },
    lose: () => {
      isLost = true
    }
  }
}

test(`after ${STEPS} random steps, with deaths at every call, both sides agree`, async () => {
  const practice = await layers.current.run(makePractice({ doctors: 1 }))
  const owner = practice.organisation_uid
  const doctor = DoctorUid.make(practice.doctors[0] ?? "")
  const calendar = makeCalendar()
  const { provider } = calendar
  const providers = Layer.succeed(CalendarProviders, {
    ...{ microsoft: provider, google: provider, caldav: provider },
    granting: () => undefined,
    examine: () => Effect.succeed(null)
  })
  const below = numbersFrom(7)
  const now = await layers.current.now()
  const first = Math.ceil(now / DAY) * DAY + 100 * DAY
  const query = layers.current.query
  const live = new Map<string, { start: number }>()
  let count = 0

  const services = Layer.provideMerge(CalendarSync.Default, Layer.provideMerge(Connections.Default, providers))
  await layers.current.run(
    Effect.gen(function* () {
      const connections = yield* Connections
      const { sync } = yield* CalendarSync
      const { transaction } = yield* Database
      const account = { provider: "caldav", url: "https://dav.example", username: "ada", password: "x" } as const
      const { uid } = yield* connections.create(owner, doctor, account)
      yield* connections.update(owner, doctor, uid, { calendars: [{ id: "one", writes: true }] })
      const fact = (appointment: string, start: number, previous: string | null) =>
        ({
          ...{ organisation_uid: owner, uid: appointment, doctor_uid: doctor, further_doctor_uids: [] },
          ...{ previous_meeting_uid: previous, start_date: start, end_date: start + 1200, confirmed_at: now }
        }) as unknown as BookingFact // what the connections read of it
      const freeStart = () => first + below(280 * 72) * 1200
      const anyOf = <A>(all: ReadonlyArray<A>) => all[below(all.length)]
      const own = () => [...calendar.entries.values()].filter(({ key }) => key !== null)
      const foreign = () => [...calendar.entries.values()].filter(({ key }) => key === null)
      /** A process works on it; when it has died, another one may after its lease. */
      const work = Effect.gen(function* () {
        const exit = yield* Effect.exit(sync(owner, uid))
        calendar.spare()
        if (Exit.isFailure(exit))
          yield* Effect.promise(() =>
            query("UPDATE calendar_connections SET leased_until = NULL WHERE uid = $1", [uid])
          )
      })
      const later = Effect.promise(() => layers.current.advance(301))

      const does = [
        // booked
        Effect.suspend(() => {
          const appointment = `apt_${count++}`
          const start = freeStart()
          live.set(appointment, { start })
          return transaction(connections.confirmed.run([fact(appointment, start, null)]))
        }),
        // moved: the one before gives its time back in the same transaction
        Effect.suspend(() => {
          const before = anyOf([...live.keys()])
          if (before === undefined) return Effect.void
          const appointment = `apt_${count++}`
          const start = freeStart()
          const old = live.get(before)?.start ?? 0
          live.delete(before)
          live.set(appointment, { start })
          return transaction(
            Effect.zipRight(
              connections.released.run([fact(before, old, null)]),
              connections.confirmed.run([fact(appointment, start, before)])
            )
          )
        }),
        // cancelled
        Effect.suspend(() => {
          const appointment = anyOf([...live.keys()])
          if (appointment === undefined) return Effect.void
          const { start } = live.get(appointment) ?? { start: 0 }
          live.delete(appointment)
          return transaction(connections.released.run([fact(appointment, start, null)]))
        }),
        // the doctor removes it there
        Effect.promise(async () => {
          const one = anyOf(own())
          if (one === undefined) return
          calendar.set(one.id, undefined)
          const known = await query("SELECT 1 FROM calendar_entries WHERE entry_id = $1", [one.id])
          if (known.length > 0) calendar.removed.add(one.key ?? "")
        }),
        // moves it there
        Effect.sync(() => {
          const one = anyOf(own())
          const start = freeStart()
          if (one !== undefined) calendar.set(one.id, { ...one, start, end: start + 1200 })
        }),
        // other entries
        Effect.sync(() => {
          const start = freeStart()
          const id = `foreign${count++}`
          calendar.set(id, { id, key: null, start, end: start + 1800 })
        }),
        Effect.sync(() => {
          const one = anyOf(foreign())
          if (one !== undefined) calendar.set(one.id, undefined)
        }),
        // puts one back
        Effect.suspend(() => {
          const appointment = anyOf([...live.keys()])
          return appointment === undefined
            ? Effect.void
            : Effect.promise(async () => {
                const [row] = await query<{ uid: string }>(
                  "SELECT uid FROM calendar_entries WHERE $1 = ANY (appointment_uids)",
                  [appointment]
                )
                calendar.removed.delete(row?.uid ?? "")
              }).pipe(
                Effect.zipRight(connections.restore(owner, doctor, AppointmentUid.make(appointment))),
                Effect.ignore
              )
        }),
        Effect.sync(() => calendar.lose()),
        Effect.sync(() => calendar.fail(anyOf(["throttled", "unreachable", "refused", undefined, undefined] as const))),
        work,
        Effect.suspend(() => {
          calendar.kill(1 + below(4), below(2) === 1)
          return work
        }),
        Effect.zipRight(later, work),
        Effect.suspend(() => {
          calendar.kill(1 + below(6), below(2) === 1)
          return Effect.zipRight(later, work)
        })
      ]
      for (let step = 0; step < STEPS; step++) yield* does[below(does.length)] ?? Effect.void
      calendar.fail(undefined)
      // what was put off is due, and is read once more
      for (let turn = 0; turn < 4; turn++) yield* Effect.zipRight(later, work)
    }).pipe(Effect.provide(services), onlyOwner({ organisation_uid: owner }))
  )

  expect(calendar.faults).toEqual([])
  const rows = await query<{
    appointment_uid: string
    uid: string
    wanted: boolean
    missing: boolean
    moved_to: number | null
    due: boolean
  }>(
    "SELECT appointment_uids[1] AS appointment_uid, uid, wanted, missing, moved_to::int, due_at IS NOT NULL AS due FROM calendar_entries"
  )
  expect(rows.map((row) => row.appointment_uid).toSorted()).toEqual([...live.keys()].toSorted())
  const wrong = rows.filter(({ appointment_uid, uid, wanted, missing, moved_to, due }) => {
    const there = [...calendar.entries.values()].filter(({ key }) => key === uid)
    const start = live.get(appointment_uid)?.start
    if (!wanted || due) return true
    if (there.length === 0) return !missing
    return there.length > 1 || missing || (there[0]?.start === start ? moved_to !== null : moved_to !== there[0]?.start)
  })
  expect(wrong).toEqual([])
  const keys = new Set(rows.map(({ uid }) => uid))
  expect([...calendar.entries.values()].filter(({ key }) => key !== null && !keys.has(key))).toEqual([])
  const busy = await query<{ entry_id: string }>("SELECT entry_id FROM connected_times")
  const foreign = [...calendar.entries.values()].filter(({ key }) => key === null)
  expect(busy.map(({ entry_id }) => entry_id).toSorted()).toEqual(foreign.map(({ id }) => id).toSorted())
}, 1_200_000)
