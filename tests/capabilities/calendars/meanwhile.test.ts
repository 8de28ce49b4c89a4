/** What doctors do while a process waits for their provider's answer is not lost (Rules 3.15.1 to 3.15.6). */
import { expect, test } from "bun:test"
import { Effect, Layer, Option } from "effect"
import {
  type Access,
  type CalendarProvider,
  CalendarProviders,
  type FoundCalendar,
  type Granting,
  ProviderFailed
} from "../../../src/capabilities/calendars/services/connections/CalendarProviders.ts"
import { CalendarSync } from "../../../src/capabilities/calendars/services/connections/CalendarSync.ts"
import { Connections } from "../../../src/capabilities/calendars/services/connections/Connections.ts"
import { DoctorUid } from "../../../src/schemas/ids.ts"
import { onlyOwner } from "../../../src/services/tenancy/Tenancy.ts"
import { makePractice } from "../../support/practice.ts"
import { sandboxLayers } from "../../support/server.ts"

const layers = sandboxLayers()
const CALENDAR: FoundCalendar = { id: "one", name: "One", account: "ada@example.org", isDefault: true }

/** Calls are answered by what is given, else by an empty calendar. */
type Answers = (access: Access) => Partial<CalendarProvider>
const providerWith =
  (answers: Answers) =>
  (access: Access): CalendarProvider => ({
    calendars: Effect.succeed([CALENDAR]),
    changes: () => Effect.succeed({ entries: [], isWhole: true, token: null }),
    find: () => Effect.succeed(null),
    create: (_, { key }) => Effect.succeed(key),
    change: () => Effect.void,
    remove: () => Effect.void,
    subscribe: () => Effect.succeed({ id: "channel", resource: "", until: 4_102_444_800 }),
    unsubscribe: () => Effect.void,
    ...answers(access)
  })
/** Ports to this provider. */
const providersWith = (answers: Answers, given: Partial<Granting> = {}) => {
  const provider = providerWith(answers)
  return Layer.succeed(CalendarProviders, {
    ...{ microsoft: provider, google: provider, caldav: provider },
    granting: () => ({ ...granting, ...given }),
    examine: () => Effect.succeed(null)
  })
}

let tokens = 0
const granting: Granting = {
  isStandIn: true,
  authorizeUrl: ({ state }) => state,
  exchange: () =>
    Effect.sync(() => ({ access_token: `granted ${++tokens}`, refresh_token: "first", expires_in: 3600 })),
  refresh: () => Effect.sync(() => ({ access_token: `renewed ${++tokens}`, expires_in: 3600 })),
  revoke: () => Effect.void
}

/** A doctor, and what they do at the provider's page and here. */
const scene = async <A>(
  answers: Answers,
  play: (of: {
    readonly connect: Effect.Effect<string, unknown, never>
    readonly list: Effect.Effect<ReadonlyArray<{ readonly uid: string; readonly status: string }>>
    readonly choose: (reads: boolean) => Effect.Effect<unknown>
    readonly work: Effect.Effect<void>
  }) => Effect.Effect<A, unknown>,
  given: Partial<Granting> = {}
) => {
  const practice = await layers.current.run(makePractice({ doctors: 1 }))
  const owner = practice.organisation_uid
  const doctor = DoctorUid.make(practice.doctors[0] ?? "")
  const providers = providersWith(answers, given)
  const services = Layer.provideMerge(CalendarSync.Default, Layer.provideMerge(Connections.Default, providers))
  return layers.current.run(
    Effect.gen(function* () {
      const connections = yield* Connections
      const { sync } = yield* CalendarSync
      const context = yield* Effect.context<never>()
      const here = <B, E, R>(effect: Effect.Effect<B, E, R>) =>
        Effect.provide(effect, context) as Effect.Effect<B, E, never> // within the test's tenant
      const list = here(Effect.orDie(connections.list(owner, doctor)))
      return yield* play({
        connect: here(
          Effect.gen(function* () {
            const begun = yield* connections.create(owner, doctor, { provider: "google" })
            const state = "authorize_url" in begun ? begun.authorize_url : ""
            const done = yield* connections.finish(owner, doctor, "google", { state, code: "code" })
            return Option.getOrThrow(done).uid
          })
        ),
        list,
        choose: (reads) =>
          Effect.flatMap(list, ([one]) =>
            one === undefined
              ? Effect.void
              : here(Effect.orDie(connections.update(owner, doctor, one.uid, { calendars: [{ id: "one", reads }] })))
          ),
        work: Effect.flatMap(list, (all) =>
          here(Effect.forEach(all, ({ uid }) => sync({ organisation_uid: owner, uid }), { discard: true }))
        )
      })
    }).pipe(Effect.provide(services), onlyOwner({ organisation_uid: owner }))
  )
}
const stored = async (uid: string) =>
  (
    await layers.current.query<{ due: boolean; fault: string | null }>(
      "SELECT next_at IS NOT NULL AS due, fault FROM calendar_connections WHERE uid = $1",
      [uid]
    )
  )[0]

test("a calendar that is chosen while its subscription ends is read", async () => {
  let meanwhile: Effect.Effect<unknown> = Effect.void
  let readings = 0
  const changes: CalendarProvider["changes"] = () =>
    Effect.sync(() => {
      readings++
      return { entries: [], isWhole: true, token: null }
    })
  const unsubscribe = () => Effect.asVoid(Effect.suspend(() => meanwhile))
  await scene(
    () => ({ changes, unsubscribe }),
    ({ connect, choose, work }) =>
      Effect.gen(function* () {
        const uid = yield* connect
        yield* work
        yield* choose(false)
        readings = 0
        meanwhile = choose(true)
        yield* work
        meanwhile = Effect.void
        yield* work
        expect(readings).toBeGreaterThan(0)
        expect(yield* Effect.promise(() => stored(uid))).toEqual({ due: true, fault: null })
      })
  )
})

test("a permission that is given again while the one before is refused is used", async () => {
  let renew: Effect.Effect<unknown, unknown> | undefined
  const changes: CalendarProvider["changes"] = () =>
    Effect.gen(function* () {
      if (renew === undefined) return { entries: [], isWhole: true, token: null }
      const now = renew
      renew = undefined
      yield* Effect.orDie(now)
      return yield* new ProviderFailed({ reason: "grant" })
    })
  const refresh: Granting["refresh"] = () => new ProviderFailed({ reason: "grant" })
  await scene(
    () => ({ changes }),
    ({ connect, work }) =>
      Effect.gen(function* () {
        const uid = yield* connect
        renew = connect
        yield* work
        yield* work
        expect(yield* Effect.promise(() => stored(uid))).toEqual({ due: true, fault: null })
      }),
    { refresh }
  )
})

test("a token that is renewed while the doctor gives a new permission does not replace it", async () => {
  const used: Array<string> = []
  let meanwhile: Effect.Effect<unknown, unknown> = Effect.void
  const answers: Answers = ({ refresh_token }) => ({
    changes: () =>
      Effect.suspend(() => {
        used.push(refresh_token)
        return used.length === 1
          ? new ProviderFailed({ reason: "grant" })
          : Effect.succeed({ entries: [], isWhole: true, token: null })
      })
  })
  let permissions = 0
  await scene(
    answers,
    ({ connect, choose, work }) =>
      Effect.gen(function* () {
        yield* connect
        meanwhile = connect
        yield* work
        meanwhile = Effect.void
        yield* choose(false)
        yield* choose(true)
        yield* work
        expect(used.at(-1)).toBe("permission 2")
      }),
    {
      exchange: () =>
        Effect.sync(() => ({ access_token: "a", refresh_token: `permission ${++permissions}`, expires_in: 3600 })),
      refresh: () => Effect.as(Effect.orDie(Effect.suspend(() => meanwhile)), { access_token: "b", expires_in: 3600 })
    }
  )
})

test("a token that ends before its time is renewed by the newest permission, also where each renewal gives a new one", async () => {
  const asked: Array<string> = []
  let readings = 0
  const changes: CalendarProvider["changes"] = () =>
    Effect.suspend(() =>
      ++readings === 1
        ? new ProviderFailed({ reason: "grant" })
        : Effect.succeed({ entries: [], isWhole: true, token: null })
    )
  await scene(
    () => ({ changes }),
    ({ connect, work }) =>
      Effect.gen(function* () {
        const uid = yield* connect
        yield* work
        expect(asked).toEqual(["permission 0", "permission 1"])
        expect(yield* Effect.promise(() => stored(uid))).toEqual({ due: true, fault: null })
        expect(readings).toBe(2)
      }),
    {
      exchange: () => Effect.succeed({ access_token: "a", refresh_token: "permission 0", expires_in: 0 }),
      refresh: (permission) =>
        Effect.sync(() => ({
          access_token: "b",
          refresh_token: `permission ${asked.push(permission)}`,
          expires_in: 3600
        }))
    }
  )
})

// Shows: a stored password sent to another server
test("an account at another server is another connection, also under the same user name", async () => {
  const account = { provider: "caldav", username: "ada", password: "secret" } as const
  const providers = providersWith(({ url }) => ({
    calendars: Effect.succeed([{ ...CALENDAR, id: `${url}calendar/`, account: "ada" }])
  }))
  const practice = await layers.current.run(makePractice({ doctors: 1 }))
  const owner = practice.organisation_uid
  const doctor = DoctorUid.make(practice.doctors[0] ?? "")
  const uids = await layers.current.run(
    Effect.gen(function* () {
      const { create } = yield* Connections
      const first = yield* create(owner, doctor, { ...account, url: "https://one.example/" })
      const second = yield* create(owner, doctor, { ...account, url: "https://other.example/" })
      const again = yield* create(owner, doctor, { ...account, url: "https://one.example/", password: "new" })
      return [first.uid, second.uid, again.uid]
    }).pipe(Effect.provide(Layer.provide(Connections.Default, providers)), onlyOwner({ organisation_uid: owner }))
  )
  expect(new Set(uids).size).toBe(2)
  expect(uids[2]).toBe(uids[0] ?? "")
})

test("an account is named by its own calendar, not by one that is shared with it", async () => {
  const shared = { id: "shared", name: "Shared", account: "bob@example.org", isDefault: false }
  const calendars = Effect.succeed([shared, CALENDAR])
  const [one] = await scene(
    () => ({ calendars }),
    ({ connect, list }) => Effect.zipRight(connect, list)
  )
  expect(one).toMatchObject({ account: "ada@example.org", calendars: [{ id: "one", reads: true }, { id: "shared" }] })
})

test("an entry that is named twice in a reading is as it is named last", async () => {
  const entry = { id: "e", key: null, isBlocking: true, isGone: false, start: 2_000_000_000, end: 2_000_001_000 }
  const changes: CalendarProvider["changes"] = () =>
    Effect.succeed({ entries: [entry, { ...entry, isGone: true }], isWhole: false, token: "1" })
  const uid = await scene(
    () => ({ changes }),
    ({ connect, work }) => Effect.zipLeft(connect, work)
  )
  expect(await layers.current.query("SELECT 1 FROM connected_times WHERE connection_uid = $1", [uid])).toEqual([])
})
