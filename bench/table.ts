/** The table of requests: each with a bare handler that sends the same statements, with PostgreSQL's choice of plans and with the service's, in turn. */
import { inDays } from "../tests/support/world.ts"
import { familyProcessorOf, inLanes, median, processorOf, quantile, spread } from "./harness/measure.ts"
import { CONNECTIONS, type Stage } from "./harness/stage.ts"

export interface Cost {
  /** milliseconds of processor time per request, of the responding process and of PostgreSQL */
  readonly service: number
  readonly database: number
  /** milliseconds until the response */
  readonly latency: number
}

export interface Line {
  readonly work: string
  readonly statements: number | undefined
  readonly ours: Cost
  readonly auto: Cost | undefined
  readonly same: Cost | undefined
  /** half of the interquartile range of the service's processor time, percent of the median */
  readonly spread: number
}

type Work = () => Promise<unknown>

interface Row {
  readonly work: string
  /** Name of the recorded request; if omitted, there is no bare handler to compare. */
  readonly name?: string
  readonly method?: "GET" | "POST"
  readonly count: number
  readonly lanes?: number
  readonly ours: Work
  /** Unmeasured work of another row, which this one's first request would do otherwise. */
  readonly first?: Work
}

export const answered = async (url: string, init: RequestInit = {}) => {
  const headers = new Headers(init.headers)
  headers.set("accept-encoding", "identity")
  if (init.body !== undefined) headers.set("content-type", "application/json")
  const response = await fetch(url, { ...init, headers })
  const body = await response.text()
  return { status: response.status, body }
}

/** The body of a response, which must be a success. */
export const requested = async (url: string, body?: unknown, headers: Readonly<Record<string, string>> = {}) => {
  const init = body === undefined ? { headers } : { method: "POST", headers, body: JSON.stringify(body) }
  const answer = await answered(url, init)
  if (answer.status >= 300) throw new Error(`${url}: ${answer.status} ${answer.body}`)
  return JSON.parse(answer.body)
}

export const costOf = async (stage: Stage, pid: number, count: number, lanes: number, work: Work): Promise<Cost> => {
  const before = [processorOf(pid), familyProcessorOf(stage.postmaster)] as const
  const times = await inLanes(count, lanes, async () => {
    const begun = performance.now()
    await work()
    return performance.now() - begun
  })
  return {
    service: (processorOf(pid) - before[0]) / count,
    database: (familyProcessorOf(stage.postmaster) - before[1]) / count,
    latency: median(times)
  }
}

const middle = (costs: ReadonlyArray<Cost>): Cost => ({
  service: median(costs.map(({ service }) => service)),
  database: median(costs.map(({ database }) => database)),
  latency: median(costs.map(({ latency }) => latency))
})

/** The requests of the table, as sent to the service and as recorded. */
export const requestsOf = ({ world, service, nextSlot, nextCustomer }: Stage) => {
  const to = (path: string) => `${service.url}${path}`
  const key = { "x-api-key": world.key }
  const range = { appointment_type_uid: world.type_uid, from: inDays(1), to: inDays(31) }
  const day = { ...range, to: inDays(2), shop_uid: world.shop_uid }
  const codes: Array<string> = []
  const holds: Array<readonly [code: string, hold: string]> = []
  const session = async () => {
    const headers = { "x-service-booking-token": nextCustomer().token }
    const opened = await requested(to("/v1/scheduling/booking-sessions"), { mode: "booking", ...range }, headers)
    codes.push(opened.booking_launch_code)
  }
  const hold = async () => {
    const code = codes.pop() ?? ""
    const body = { appointment_type_uid: world.type_uid, ...nextSlot() }
    const held = await requested(to(`/v1/scheduling/booking-sessions/${code}/holds`), body)
    holds.push([code, held.hold_uid])
  }
  const confirm = () => {
    const [code, held] = holds.pop() ?? []
    return requested(to(`/v1/scheduling/booking-sessions/${code}/holds/${held}/confirm`), {})
  }
  const book = () => {
    const body = { shop_uid: world.shop_uid, shop_customer_id: nextCustomer().customer }
    return requested(
      to("/v1/management/scheduling/appointments"),
      { ...body, appointment_type_uid: world.type_uid, ...nextSlot() },
      key
    )
  }
  return {
    health: () => answered(to("/healthz")),
    types: () => requested(to(`/v1/scheduling/appointment-types?shop_uid=${world.shop_uid}`)),
    search: () => requested(to("/v1/scheduling/slots/search"), day),
    session,
    hold,
    confirm,
    book,
    whole: async () => {
      await session()
      await hold()
      return confirm()
    },
    feed: () => requested(to("/v1/management/events?limit=50"), undefined, key),
    list: () => requested(to("/v1/management/scheduling/appointments?limit=50"), undefined, key)
  }
}

/** Records the second request of each kind to the service in this process. */
const recorded = async (stage: Stage) => {
  const { start, requests } = await flowIn(stage)
  const first = await flowIn(stage)
  for (const request of Object.values(first.requests)) await request()
  await first.requests.feed() // places the events of the first bookings
  return stage.record(start, requests)
}

/** One request of each kind to the service in this process, and the time that it books. */
const flowIn = async ({ world, recorder, nextSlot }: Stage) => {
  const { api } = recorder
  // the recorded flow is the first customer's; the second slot is booked in one request
  const [at, other] = [nextSlot(), nextSlot()]
  const customer = "cus_000000000000"
  const token = await world.token(customer)
  const body = { mode: "booking", appointment_type_uid: world.type_uid, from: inDays(1), to: inDays(31) }
  let code = ""
  let held = ""
  const management = "/v1/management"
  const requests = {
    types: () => api("GET", `/v1/scheduling/appointment-types?shop_uid=${world.shop_uid}`),
    search: () => world.search(),
    feed: () => api("GET", `${management}/events?limit=50`, { key: world.key }),
    list: () => api("GET", `${management}/scheduling/appointments?limit=50`, { key: world.key }),
    session: async () => {
      const answer = await api("POST", "/v1/scheduling/booking-sessions", { token, body })
      code = answer.body.booking_launch_code
      return answer
    },
    hold: async () => {
      const answer = await world.hold(code, at.start_date, { doctor_uid: at.doctor_uid })
      held = answer.body.hold_uid
      return answer
    },
    confirm: () => world.confirm(code, held),
    book: () =>
      api("POST", `${management}/scheduling/appointments`, {
        key: world.key,
        body: { shop_uid: world.shop_uid, shop_customer_id: customer, appointment_type_uid: world.type_uid, ...other }
      })
  }
  return { start: at.start_date, requests }
}

/**
 * Rounds before those that are measured. The compiler of Bun is busy for the first 20,000 requests of a process, which cost up to twice as
 * much.
 */
const WARM_UP = 5

/** Measures every row in turn, `rounds` times. */
export const measureTable = async (stage: Stage, rounds: number, scale: number, say: (what: string) => void) => {
  const ours = requestsOf(stage)
  // The first of a kind may do more: it records the use of the key, and its statements are not prepared yet
  for (const request of [ours.types, ours.search, ours.whole, ours.book, ours.feed, ours.list]) await request()
  await stage.recorder.api("GET", "/v1/management/events?limit=1", { key: stage.world.key })
  const bare = await recorded(stage)
  const rows: ReadonlyArray<Row> = [
    { work: "`/healthz`", name: "health", count: 4000 * scale, ours: ours.health },
    { work: "appointment types", name: "types", count: 4000 * scale, ours: ours.types },
    {
      work: "search, 8 doctors, one day (576 slots)",
      name: "search",
      method: "POST",
      count: 400 * scale,
      ours: ours.search
    },
    { work: "session", name: "session", method: "POST", count: 160 * scale, ours: ours.session },
    { work: "hold", name: "hold", method: "POST", count: 160 * scale, ours: ours.hold },
    { work: "confirm", name: "confirm", method: "POST", count: 160 * scale, ours: ours.confirm },
    { work: "booking in one request", name: "book", method: "POST", count: 160 * scale, ours: ours.book },
    // the first reading after bookings gives their events their places
    { work: "event feed, first page", name: "feed", count: 200 * scale, ours: ours.feed, first: ours.feed },
    { work: "list, first page", name: "list", count: 200 * scale, ours: ours.list },
    { work: "a lone booking: session, hold, confirm, one client", count: 40 * scale, lanes: 1, ours: ours.whole },
    { work: "a lone booking in one request, one client", count: 40 * scale, lanes: 1, ours: ours.book }
  ]
  const counters = new Map<string, number>()
  const keyed = new Set(["book", "feed", "list"])
  const key = { "x-api-key": stage.world.key }
  const bareWork = (server: { readonly url: string }, { name = "", method = "GET" }: Row): Work => {
    return () => {
      const counter = `${server.url} ${name}`
      const index = counters.get(counter) ?? 0
      counters.set(counter, index + 1)
      return requested(`${server.url}/${name}/${index}`, method === "POST" ? {} : undefined, keyed.has(name) ? key : {})
    }
  }
  const costs = rows.map(() => ({ ours: [] as Array<Cost>, auto: [] as Array<Cost>, same: [] as Array<Cost> }))
  for (let round = 1 - WARM_UP; round <= rounds; round++) {
    say(round < 1 ? `warming up, round ${round + WARM_UP} of ${WARM_UP}` : `table, round ${round} of ${rounds}`)
    // Statistics of filled tables, so that plans are those of production
    if (round === 2 - WARM_UP || round === 1) await stage.database.query("VACUUM ANALYZE")
    for (const [at, row] of rows.entries()) {
      const measure = (pid: number, work: Work) => costOf(stage, pid, row.count, row.lanes ?? CONNECTIONS, work)
      await row.first?.()
      const mine = await measure(stage.service.pid, row.ours)
      const auto = row.name === undefined ? undefined : await measure(bare.auto.pid, bareWork(bare.auto, row))
      const same = row.name === undefined ? undefined : await measure(bare.same.pid, bareWork(bare.same, row))
      if (round < 1) continue
      costs[at]?.ours.push(mine)
      if (auto !== undefined) costs[at]?.auto.push(auto)
      if (same !== undefined) costs[at]?.same.push(same)
    }
  }
  const lines = rows.map((row, at): Line => {
    const { ours: mine = [], auto = [], same = [] } = costs[at] ?? {}
    return {
      work: row.work,
      statements: row.name === undefined ? undefined : bare.counts[row.name],
      ours: middle(mine),
      auto: auto.length === 0 ? undefined : middle(auto),
      same: same.length === 0 ? undefined : middle(same),
      spread: spread(mine.map(({ service, database }) => service + database))
    }
  })
  return { lines, bare: [bare.auto, bare.same] } as const
}

/** 200 clients hold one slot while another one reads: the responses, and how long the reads take. */
export const measureCrowd = async (stage: Stage) => {
  const { service, world, nextSlot, nextCustomer } = stage
  const reader = new Worker(new URL("./harness/reader.ts", import.meta.url).href)
  /** Milliseconds of another client's concurrent reads. */
  const readingDuring = async <A>(work: () => Promise<A>) => {
    reader.postMessage(`${service.url}/v1/scheduling/appointment-types?shop_uid=${world.shop_uid}`)
    const result = await work()
    const times = await new Promise<ReadonlyArray<number>>((resolve) => {
      reader.onmessage = ({ data }: MessageEvent<ReadonlyArray<number>>) => resolve(data)
      reader.postMessage(null)
    })
    return [result, times] as const
  }
  const [, quiet] = await readingDuring(() => Bun.sleep(1_000))
  const sessions = await inLanes(200, CONNECTIONS, async () => {
    const headers = { "x-service-booking-token": nextCustomer().token }
    const body = { mode: "booking", appointment_type_uid: world.type_uid, from: inDays(1), to: inDays(31) }
    return (await requested(`${service.url}/v1/scheduling/booking-sessions`, body, headers)).booking_launch_code
  })
  const slot = JSON.stringify({ appointment_type_uid: world.type_uid, ...nextSlot() })
  const [answers, crowded] = await readingDuring(() =>
    inLanes(200, 200, (index) =>
      answered(`${service.url}/v1/scheduling/booking-sessions/${sessions[index]}/holds`, { method: "POST", body: slot })
    )
  )
  reader.terminate()
  const statuses = Map.groupBy(answers, ({ status }) => status)
  return {
    statuses: [...statuses]
      .map(([status, all]) => `${all.length} × ${status}`)
      .sort()
      .join(", "),
    quiet: median(quiet),
    crowded: median(crowded),
    worst: quantile(crowded, 1)
  }
}
