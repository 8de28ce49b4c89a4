/**
 * Planned work under an open load: three replicas behind the shipped nginx are replaced one by one, as in
 * docs/operating.md, and Patroni, with the shipped settings, switches over.
 */
import { chmodSync } from "node:fs"
import { join } from "node:path"
import { eventually } from "../../tests/support/eventually.ts"
import { startNginx } from "../../tests/support/nginx.ts"
import { freePort } from "../../tests/support/ports.ts"
import { startService, temporaryFolder } from "../../tests/support/processes.ts"
import { startServer } from "../../tests/support/server.ts"
import { inDays, makeWorld } from "../../tests/support/world.ts"
import { makeCaller } from "./caller.ts"
import { startDatabaseCluster } from "./cluster.ts"

export interface Phase {
  /** Answered requests, including those after a `Retry-After`. */
  readonly answers: number
  /** Attempts by status; 0 is a broken connection. */
  readonly attempts: ReadonlyMap<number, number>
  /** Responses other than the expected one or "retry later", and requests that were never answered. */
  readonly failed: ReadonlyArray<string>
  readonly longestMs: number
  readonly medianMs: number
}

export interface ExchangeOptions {
  /** Requests per second, independently of earlier responses; half searches, half bookings. */
  readonly rate: number
  /** Number of responses to wait for before and after the planned work. */
  readonly around: number
}

const DOCTORS = 8

export const runExchange = async ({ rate, around }: ExchangeOptions) => {
  const folder = temporaryFolder()
  chmodSync(folder.path, 0o755)
  const cluster = await startDatabaseCluster(join(folder.path, "database"), false)
  const url = cluster.url(cluster.port)
  const admin = await startServer({ ROLE: "http" }, url)
  const world = await makeWorld(admin, { doctors: DOCTORS })
  const env = (index: number) => ({ DATABASE_URL: url, DATA_DIR: join(folder.path, `data-${index}`), ROLE: "all" })
  const replicas = await Promise.all([0, 1, 2].map((index) => startService(env(index))))
  const nginx = await startNginx(folder.path, freePort(), replicas)
  let booked = 0

  const book = () => {
    const number = booked++
    return {
      method: "POST",
      path: "/v1/management/scheduling/appointments",
      headers: { "x-api-key": world.key, "idempotency-key": `booking-${number}` },
      body: {
        shop_uid: world.shop_uid,
        shop_customer_id: `customer-${number}`,
        appointment_type_uid: world.type_uid,
        doctor_uid: world.doctors[number % DOCTORS],
        start_date: inDays(1) + Math.floor(number / DOCTORS) * 1_200
      }
    }
  }
  const search = () => ({
    method: "POST",
    path: "/v1/scheduling/slots/search",
    body: {
      shop_uid: world.shop_uid,
      appointment_type_uid: world.type_uid,
      from: inDays(1),
      to: inDays(2),
      timezone: "UTC"
    }
  })

  const under = async (happen: () => Promise<unknown>): Promise<Phase> => {
    const caller = makeCaller(nginx.url)
    const requests: Array<Promise<unknown>> = []
    let going = true
    const arrivals = (async () => {
      for (let count = 0; going; count++) {
        requests.push(count % 2 === 0 ? caller.ask(search(), [200]) : caller.ask(book(), [201]))
        await Bun.sleep(1_000 / rate)
      }
    })()
    const answered = (count: number) =>
      eventually(
        async () => caller.waits.length,
        (seen) => seen >= count,
        300
      )
    await answered(around)
    await happen()
    await answered(caller.waits.length + around)
    going = false
    await arrivals
    await Promise.all(requests)
    const waits = [...caller.waits].sort((one, other) => one - other)
    return {
      answers: waits.length,
      attempts: caller.attempts,
      failed: [...caller.untrue, ...caller.unanswered],
      longestMs: waits.at(-1) ?? 0,
      medianMs: waits[Math.floor(waits.length / 2)] ?? 0
    }
  }

  const exchanged = await under(async () => {
    for (const index of [0, 1, 2]) {
      await nginx.exchange(index)
      await replicas[index]?.stop("SIGTERM")
      const port = replicas[index]?.port
      replicas[index] = await startService(env(index), port === undefined ? {} : { port })
      await nginx.exchange()
    }
  })
  const former = await cluster.primary()
  const handedOver = await under(async () => {
    await cluster.switchover()
    await eventually(cluster.whole, (is) => is, 180)
  })
  const moved = (await cluster.primary()) !== former
  const list = await admin.api("GET", "/v1/management/scheduling/appointments?status=confirmed&limit=1", {
    key: world.key
  })
  await nginx.stop()
  await Promise.all(replicas.map((replica) => replica.stop()))
  await admin.stop()
  await cluster.stop()
  folder.remove()
  return { exchanged, handedOver, moved, booked, found: Number(list.body.totalRegistries) }
}
