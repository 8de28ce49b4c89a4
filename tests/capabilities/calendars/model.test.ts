/** Random changes on both sides and processes that die at every step: at the end both sides agree with the rules (Rules 3.15.3 to 3.15.5). */
import { expect, test } from "bun:test"
import { Effect, Exit, Layer } from "effect"
import { CalendarConnectionUid } from "../../../src/capabilities/calendars/schemas/connections/CalendarConnection.ts"
import {
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
const [STEPS, SEED] = [sized(1_000, 10_000), 7]

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
  const absent = new ProviderFailed({ reason: "gone" })
  const provider: CalendarProvider = {
    calendars: Effect.succeed([{ id: "one", name: "One", account: "ada", isDefault: true }]),
    changes: ({ token }) =>
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
    find: (_, key) => call(() => Effect.succeed([...entries.values()].find((one) => one.key === key)?.id ?? null)),
    create: (_, entry) =>
      call(() => {
        if ([...entries.values()].some(({ key }) => key === entry.key)) faults.push(`${entry.key} made twice`)
        if (removed.has(entry.key)) faults.push(`${entry.key} made again`)
        const id = `e${made++}`
        set(id, written(entry, id))
        return Effect.succeed(id)
      }),
    change: (_, id, entry) => call(() => (entries.has(id) ? Effect.sync(() => set(id, written(entry, id))) : absent)),
    remove: (_, id) => call(() => Effect.sync(() => set(id, undefined))),
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

test(`after ${STEPS} random steps from seed ${SEED}, with deaths at every call, both sides agree`, async () => {
  const practice = await layers.current.run(makePractice({ doctors: 1 }))
  const owner = practice.organisation_uid
  const doctor = DoctorUid.make(practice.doctors[0] ?? "")
  const calendar = makeCalendar()
  const { provider } = calendar
  const providers = Layer.succeed(CalendarProviders, {
    ...{ microsoft: () => provider, google: () => provider, caldav: () => provider },
    granting: () => undefined,
    examine: () => Effect.succeed(null)
  })
  const below = numbersFrom(SEED)
  const now = await layers.current.now()
  const first = Math.ceil(now / DAY) * DAY + 100 * DAY
  const query = layers.current.query
  /** Confirmed appointments; the seats of a group time have its name. */
  const live = new Map<string, { readonly start: number; readonly group: string | null }>()
  let count = 0
  /** Of the connection. */
  let uid = CalendarConnectionUid.make("ccn_none")

  const services = Layer.provideMerge(CalendarSync.Default, Layer.provideMerge(Connections.Default, providers))
  await layers.current.run(
    Effect.gen(function* () {
      const connections = yield* Connections
      const { sync } = yield* CalendarSync
      const { transaction } = yield* Database
      const account = { provider: "caldav", url: "https://dav.example", username: "ada", password: "x" } as const
      const writes = (isWritten: boolean) =>
        connections.update(owner, doctor, uid, { calendars: [{ id: "one", writes: isWritten }] })
      uid = (yield* connections.create(owner, doctor, account)).uid
      yield* writes(true)
      const fact = (appointment: string, previous: string | null = null) => {
        const { start = 0, group: shared_group = null } = live.get(appointment) ?? {}
        return {
          ...{ organisation_uid: owner, uid: appointment, doctor_uid: doctor, further_doctor_uids: [], shared_group },
          ...{ previous_meeting_uid: previous, start_date: start, end_date: start + 1200, confirmed_at: now }
        } as unknown as BookingFact // what the connections read of it
      }
      /** Has the calendar written, also the appointments that there are, and what was removed there: these are none of the database. */
      const writesAll = Effect.suspend(() => {
        calendar.removed.clear()
        const facts = [...live.keys()].map((appointment) => fact(appointment))
        return Effect.zipRight(writes(true), transaction(connections.confirmed.run(facts)))
      })
      const freeStart = () => first + below(280 * 72) * 1200
      const anyOf = <A>(all: ReadonlyArray<A>) => all[below(all.length)]
      const groups: Array<{ readonly start: number; readonly group: string | null }> = []
      /** A new appointment: alone, the first seat of a group time, a further one, or one of a group time that had ended. */
      const booked = () => {
        const appointment = `apt_${count++}`
        const start = freeStart()
        const first = { start, group: `group at ${start}` }
        const seat = anyOf([{ start, group: null }, first, anyOf(groups) ?? first]) ?? first
        if (seat === first) groups.push(first)
        live.set(appointment, seat)
        return appointment
      }
      /** One that gives back its time, as it was; a group time that ends may be written again when it is booked again. */
      const ended = Effect.fnUntraced(function* (appointment: string) {
        const before = fact(appointment)
        const { group } = live.get(appointment) ?? { group: null }
        live.delete(appointment)
        if (group !== null && ![...live.values()].some((one) => one.group === group))
          calendar.removed.delete(yield* keyOf(appointment))
        return before
      })
      const keyOf = (appointment: string) =>
        Effect.promise(async () => {
          const text = "SELECT uid FROM calendar_entries WHERE $1 = ANY (appointment_uids)"
          return (await query<{ uid: string }>(text, [appointment]))[0]?.uid ?? ""
        })
      const own = () => [...calendar.entries.values()].filter(({ key }) => key !== null)
      const foreign = () => [...calendar.entries.values()].filter(({ key }) => key === null)
      /** A process works on it; when it has died, another one may after its lease. */
      const work = Effect.gen(function* () {
        const exit = yield* Effect.exit(sync({ organisation_uid: owner, uid }))
        calendar.spare()
        if (Exit.isFailure(exit))
          yield* Effect.promise(() =>
            query("UPDATE calendar_connections SET leased_until = NULL WHERE uid = $1", [uid])
          )
      })
      const later = Effect.promise(() => layers.current.advance(301))

      const cancelled = Effect.gen(function* () {
        const appointment = anyOf([...live.keys()])
        if (appointment !== undefined) yield* transaction(connections.released.run([yield* ended(appointment)]))
      })
      const does = [
        // booked, up to some sixty
        Effect.suspend(() => (live.size < 60 ? transaction(connections.confirmed.run([fact(booked())])) : cancelled)),
        // moved: the one before gives its time back in the same transaction
        Effect.gen(function* () {
          const before = anyOf([...live.keys()])
          if (before === undefined) return
          const gone = yield* ended(before)
          const made = fact(booked(), before)
          yield* transaction(Effect.zipRight(connections.released.run([gone]), connections.confirmed.run([made])))
        }),
        cancelled,
        // the doctor removes it there
        Effect.promise(async () => {
          const one = anyOf(own())
          if (one === undefined) return
          calendar.set(one.id, undefined)
          const known = await query("SELECT 1 FROM calendar_entries WHERE entry_id = $1 AND wanted", [one.id])
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
        Effect.gen(function* () {
          const appointment = anyOf([...live.keys()])
          if (appointment === undefined) return
          calendar.removed.delete(yield* keyOf(appointment))
          yield* Effect.orDie(connections.restore(owner, doctor, AppointmentUid.make(appointment)))
        }),
        // writes into it no more, an appointment is booked or cancelled meanwhile, and writes again: also what was removed there
        Effect.gen(function* () {
          yield* writes(false)
          if (below(2) === 1) yield* work
          yield* below(2) === 1 ? cancelled : transaction(connections.confirmed.run([fact(booked())]))
          yield* writesAll
        }),
        // disconnects, and connects the same calendar again: what stands there is found again
        Effect.gen(function* () {
          const before = uid
          yield* connections.remove(owner, doctor, before)
          uid = (yield* connections.create(owner, doctor, account)).uid
          yield* sync({ organisation_uid: owner, uid: before })
          yield* writesAll
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
  const all = await query<{
    connection_uid: string
    appointment_uids: ReadonlyArray<string>
    uid: string
    wanted: boolean
    missing: boolean
    moved_to: number | null
    due: boolean
  }>(
    "SELECT connection_uid, appointment_uids, uid, wanted, missing, moved_to::int, due_at IS NOT NULL AS due FROM calendar_entries"
  )
  const rows = all.filter(({ connection_uid }) => connection_uid === uid)
  expect(rows.flatMap((row) => row.appointment_uids).toSorted()).toEqual([...live.keys()].toSorted())
  // one entry for each that is alone, and for each group time
  const times = new Set([...live].map(([appointment, { group }]) => group ?? appointment))
  expect([rows.length, [...live.values()].some(({ group }) => group !== null)]).toEqual([times.size, true])
  const wrong = rows.filter(({ appointment_uids, uid, wanted, missing, moved_to, due }) => {
    const there = [...calendar.entries.values()].filter(({ key }) => key === uid)
    const seats = appointment_uids.map((appointment) => live.get(appointment))
    const [{ start, group } = { start: 0, group: null }] = seats.flatMap((seat) => seat ?? [])
    if (!wanted || due || (seats.length > 1 && group === null)) return true
    if (seats.some((seat) => seat?.start !== start || seat.group !== group)) return true
    if (there.length === 0) return !missing
    return there.length > 1 || missing || (there[0]?.start === start ? moved_to !== null : moved_to !== there[0]?.start)
  })
  expect(wrong).toEqual([])
  // an entry that was to be removed when its connection was deleted stays
  const keys = new Set(all.map(({ uid }) => uid))
  expect([...calendar.entries.values()].filter(({ key }) => key !== null && !keys.has(key))).toEqual([])
  const busy = await query<{ entry_id: string }>("SELECT entry_id FROM connected_times")
  const foreign = [...calendar.entries.values()].filter(({ key }) => key === null)
  expect(busy.map(({ entry_id }) => entry_id).toSorted()).toEqual(foreign.map(({ id }) => id).toSorted())
}, 1_200_000)
