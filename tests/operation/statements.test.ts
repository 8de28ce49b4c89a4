/** The number of statements per request: a booking's latency consists of round trips. */
import { expect, test } from "bun:test"
import { ownServer } from "../support/server.ts"
import { statementBudgets } from "../support/statementBudgets.ts"
import { recording } from "../support/statements.ts"
import { inDays, makeWorld, SENDS_MAIL } from "../support/world.ts"

// Without workers: their statements would be counted
const server = ownServer({ ROLE: "http" })

/** Statements of a request, including COMMIT; the minimum of three runs, since other work may interfere. */
const fewest = async (request: () => Promise<{ readonly status: number }>) => {
  const counts: Array<number> = []
  for (let turn = 0; turn < 3; turn++) {
    const { result, statements } = await recording(request, server.current.databaseUrl)
    expect(result.status).toBeLessThan(300)
    counts.push(statements.length)
  }
  return Math.min(...counts)
}

test("a request sends as many statements as its budget", async () => {
  const world = await makeWorld(server.current, SENDS_MAIL)
  const { api } = server.current
  const token = await world.token()
  const body = { mode: "booking", appointment_type_uid: world.type_uid, from: inDays(0), to: inDays(30) }
  const codes: Array<string> = []
  const holds: Array<string> = []
  let turn = 0
  const at = () => inDays(1) + turn++ * 1200
  const next = <A>(list: ReadonlyArray<A>, index: number) => list[index % list.length] as A
  let confirmed = 0
  const counted = {
    types: await fewest(() => api("GET", `/v1/scheduling/appointment-types?shop_uid=${world.shop_uid}`)),
    search: await fewest(() => world.search()),
    session: await fewest(async () => {
      const answer = await api("POST", "/v1/scheduling/booking-sessions", { token, body })
      codes.push(answer.body.booking_launch_code)
      return answer
    }),
    hold: await fewest(async () => {
      const answer = await world.hold(next(codes, holds.length), at())
      holds.push(answer.body.hold_uid)
      return answer
    }),
    confirm: await fewest(() => {
      const index = confirmed++
      return world.confirm(next(codes, index), next(holds, index))
    }),
    book: await fewest(() => world.bookByKey({ doctor_uid: world.doctor, start_date: at() })),
    cancel: await fewest(() =>
      world.api("POST", `/v1/management/scheduling/appointments/${holds[--confirmed]}/cancel`, { reason: "x" })
    ),
    feed: await fewest(() => world.api("GET", "/v1/management/events")),
    list: await fewest(() => world.api("GET", "/v1/management/scheduling/appointments"))
  }
  expect(counted).toEqual(statementBudgets)
})

test("with an idempotency key, a hold sends one more statement: COMMIT travels with the answer's", async () => {
  const world = await makeWorld(server.current)
  const code = await world.session()
  let turn = 0
  const hold = (key?: string) => fewest(() => world.hold(code, inDays(1) + turn++ * 1200, {}, key && `${key}-${turn}`))
  expect([await hold(), await hold("key")]).toEqual([statementBudgets.hold, statementBudgets.hold + 1])
})

test("an unchanged patient is not written again", async () => {
  const world = await makeWorld(server.current)
  await world.session("known")
  const { statements } = await recording(() => world.session("known"))
  expect(statements.filter(({ text }) => text.startsWith("INSERT INTO patients"))).toEqual([])
  const token = await world.token("known", {
    patient_profile_fields: [{ field: "first_name", value: "Other", source: "shop" }]
  })
  const versions = async () => {
    const answer = await world.api("GET", "/v1/management/patients?shop_customer_id=known")
    return answer.body.data[0]
  }
  const before = await versions()
  const body = { mode: "booking", appointment_type_uid: world.type_uid, from: inDays(0), to: inDays(30) }
  await server.current.api("POST", "/v1/scheduling/booking-sessions", { token, body })
  expect((await versions()).profile).toEqual({ ...before.profile, first_name: "Other" })
})
