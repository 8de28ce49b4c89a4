/** The environment of a run: the database cluster, replicas and workers with paths that can be cut, nginx, gateways. */
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { Client } from "pg"
import { makeShop } from "../../tests/checkout/support/shop.ts"
import { startReceiver } from "../../tests/events/receiver.ts"
import { type Fault, mollieStandIn } from "../../tests/pharmacy/mollieStandIn.ts"
import { eventually } from "../../tests/support/eventually.ts"
import { startNginx } from "../../tests/support/nginx.ts"
import { freePort } from "../../tests/support/ports.ts"
import { startServer } from "../../tests/support/server.ts"
import { type Kept, keep, startDatabaseCluster } from "./cluster.ts"
import { type Way, wayTo } from "./ways.ts"

export const MASTER_KEY = Buffer.alloc(32, 7).toString("base64")

/** The subscriptions of organisations and pharmacies. */
export const ORGANISATION_EVENTS = ["PATIENT_DOCTOR_MEETING_UPDATED", "REBOOKED"]
export const PHARMACY_EVENTS = ["pharmacy_order.created", "pharmacy_order.status_updated", "pharmacy_order.completed"]

const sessionsOf = async (url: string) => {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5_000 })
  client.on("error", () => undefined)
  try {
    await client.connect()
    const { rows } = await client.query(`SELECT concat_ws(' ', application_name, state, wait_event_type, wait_event,
        (now() - state_change)::text, left(regexp_replace(query, '\\s+', ' ', 'g'), 80)) AS session
      FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid() AND state <> 'idle'`)
    return rows.map(({ session }) => `  ${session}`).join("\n")
  } catch (error) {
    return `  the database does not answer: ${error}`
  } finally {
    await client.end().catch(() => undefined)
  }
}

export interface Processes {
  readonly replicas: number
  readonly workers: number
}

export const startWorld = async (folder: string, processes: Processes) => {
  const cluster = await startDatabaseCluster(join(folder, "database"))
  const data = join(folder, "data")
  mkdirSync(data, { recursive: true })
  // A small separate file system for the service's files, so that it can be filled
  const smallDisk = Bun.spawnSync(["mount", "-t", "tmpfs", "-o", "size=64m", "tmpfs", data]).success

  let fault: Fault = "none"
  const mollie = mollieStandIn(() => fault)
  const receiver = await startReceiver()
  const shared = {
    MASTER_KEY,
    DATA_DIR: data,
    DATABASE_POOL_SIZE: "8",
    RATE_LIMIT_PER_SECOND: "0",
    RATE_LIMIT_KEY_PER_SECOND: "0",
    WEBHOOK_ALLOW_PRIVATE: "true",
    LOG_FORMAT: "json",
    SANDBOX: "true",
    SHUTDOWN_GRACE_SECONDS: "1",
    MOLLIE_API_KEY: "test_key",
    MOLLIE_API_ENDPOINT: mollie.apiEndpoint,
    HOST: "127.0.0.1"
  }
  // One process is started here to set up schema, shop, keys and subscriptions
  const setUp = await startServer({ ...shared, ROLE: "http" }, cluster.url(cluster.port))
  const shop = await makeShop(setUp)
  await shop.provision({
    pharmacies: [
      {
        uid: shop.pharmacy_uid,
        name: "Apotheke",
        payout_terms: {
          commission_bps: 1_000,
          markup_share_bps: 5_000,
          shipping_share_bps: 8_000,
          payment_account: "org_pharmacy"
        }
      }
    ]
  })
  const subscribe = async (path: string, key: string, body: unknown) => {
    const { status, body: made } = await setUp.api("POST", path, { key, body })
    if (status >= 300) throw new Error(`no subscription: ${JSON.stringify(made)}`)
  }
  for (const notification_type of ORGANISATION_EVENTS)
    await subscribe("/v1/management/notification-subscriptions", shop.key, {
      notification_type,
      url: receiver.url("/organisation")
    })
  await subscribe("/v1/external_pharmacy_api/webhooks/", shop.pharmacy_key, {
    event_types: PHARMACY_EVENTS,
    url: receiver.url("/pharmacy")
  })
  await setUp.stop()

  const ways: Array<Way> = []
  const service = async (name: string, role: "http" | "worker") => {
    const way = await wayTo(cluster.port)
    ways.push(way)
    const port = freePort()
    const env = { ...shared, ROLE: role, PORT: String(port), DATABASE_URL: cluster.url(way.port, way.host) }
    return { ...keep(name, [process.execPath, "--no-install", "dist/main.js"], { env }), port }
  }
  const several = async (count: number, name: string, role: "http" | "worker") => {
    const all: Array<Awaited<ReturnType<typeof service>>> = []
    for (let number = 1; number <= count; number++) all.push(await service(`${name} ${number}`, role))
    return all
  }
  const replicas = await several(processes.replicas, "replica", "http")
  const workers = await several(processes.workers, "worker", "worker")
  const isReady = ({ port }: { readonly port: number }) =>
    fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(3_000) }).then(
      ({ status }) => status === 200,
      () => false
    )
  const healthy = async () =>
    (await cluster.whole()) && (await Promise.all([...replicas, ...workers].map(isReady))).every(Boolean)
  const services: ReadonlyArray<Kept> = [...replicas, ...workers]
  await eventually(healthy, (is) => is, 180).catch((cause) => {
    throw new Error(`${cause}\n${services.map(({ name, said }) => `${name}: ${said().slice(-2_000)}`).join("\n")}`)
  })
  const nginx = await startNginx(folder, freePort(), replicas)

  /** Pending requests and connections of each replica, and the wait events of the database's sessions. */
  const underWay = async () => {
    const measured = await Promise.all(
      replicas.map(async ({ name, port }) => {
        const answer = await fetch(`http://127.0.0.1:${port}/metrics`, { signal: AbortSignal.timeout(5_000) }).catch(
          () => undefined
        )
        const lines = ((await answer?.text()) ?? "").split("\n")
        const shown = lines.filter((line) => /^sprechstunde_(http_requests_in_flight|database_pool_conn)/.test(line))
        return `${name}: ${shown.map((line) => line.replace("sprechstunde_", "")).join(", ")}`
      })
    )
    return `${measured.join("; ")}\n${await sessionsOf(cluster.url(cluster.port))}`
  }

  return {
    cluster,
    underWay,
    data,
    smallDisk,
    shop,
    mollie,
    receiver,
    replicas,
    workers,
    services,
    ways,
    nginx,
    url: nginx.url,
    healthy,
    /** The payment provider's behaviour from now on. */
    payments: (next: Fault) => {
      fault = next
    },
    stop: async () => {
      await nginx.stop()
      await Promise.all(services.map((one) => one.stop()))
      for (const way of ways) way.stop()
      receiver.stop()
      mollie.release() // requests that were never answered
      await mollie.stop()
      await cluster.stop()
      if (smallDisk) Bun.spawnSync(["umount", data])
    }
  }
}
export type ChaosWorld = Awaited<ReturnType<typeof startWorld>>
