/**
 * The measured system: a replica and the bare handlers, on one embedded PostgreSQL. No worker: what it does to send the mails of bookings is
 * no part of a request, and would count for whatever runs beside it.
 */
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Client } from "pg"
import { runFolder, startTestServer } from "../../tests/support/postgres.ts"
import { run, SERVICE, startService } from "../../tests/support/processes.ts"
import { startServer } from "../../tests/support/server.ts"
import { statementBudgets } from "../../tests/support/statementBudgets.ts"
import { recording, type Statement } from "../../tests/support/statements.ts"
import { inDays, makeWorld, SENDS_MAIL } from "../../tests/support/world.ts"
import type { Recorded } from "./replay.ts"

export const CONNECTIONS = 16
const DOCTORS = 8
const CUSTOMERS = 200
const MINUTES = 20

/** A process of the bare handler for the recorded statements, with PostgreSQL's choice of plans or with the service's. */
const startBare = async (file: string, url: string, mode: "auto" | "same") => {
  const replay = join(import.meta.dir, "replay.ts")
  const running = run([process.execPath, "--no-install", replay, file, url, String(CONNECTIONS), mode])
  while (!running.said().includes("\n")) await Bun.sleep(20)
  return { ...running, url: `http://127.0.0.1:${running.said().trim()}` }
}

const stored = ({ values, ...statement }: Statement) => ({
  ...statement,
  values: values.map((value) => (Buffer.isBuffer(value) ? { hash: value.toString("hex") } : value))
})

/** `command` starts the measured replica, with the role `role`. */
export const setStage = async (command: ReadonlyArray<string> = SERVICE, role: "http" | "all" = "http") => {
  await startTestServer()
  const folder = mkdtempSync(join(runFolder(), "bench-"))
  const postmaster = Number(readFileSync(join(runFolder(), "data", "postmaster.pid"), "utf8").split("\n")[0])
  // The recorder runs in this process, the measured services in separate ones
  const recorder = await startServer({ ROLE: "http" })
  const world = await makeWorld(recorder, { ...SENDS_MAIL, doctors: DOCTORS })
  const database = new Client({ connectionString: recorder.databaseUrl })
  await database.connect()
  const settings = { DATABASE_URL: recorder.databaseUrl, DATABASE_POOL_SIZE: String(CONNECTIONS) }
  const service = await startService({ ...settings, DATA_DIR: join(folder, "http"), ROLE: role }, { command })

  const customers = Array.from({ length: CUSTOMERS }, (_, index) => `cus_${String(index).padStart(12, "0")}`)
  const tokens: Array<string> = []
  for (const customer of customers) {
    // real time: a token is valid for the whole run
    tokens.push(await world.token(customer, { exp: Math.floor(Date.now() / 1000) + 3500 }))
    await world.session(customer)
  }
  const found = await database.query<{ uid: string }>(
    "SELECT uid FROM patients WHERE organisation_uid = $1 ORDER BY shop_customer_id",
    [world.organisation_uid]
  )

  /** Statements of one request of each kind. They are the caller's second ones in this process, since a first one may send more. */
  const record = async (
    start: number,
    requests: Readonly<Record<string, () => Promise<{ readonly status: number; readonly body: unknown }>>>
  ) => {
    const recorded: Record<string, ReadonlyArray<ReturnType<typeof stored>>> = {}
    for (const [name, request] of Object.entries(requests)) {
      const { result, statements } = await recording(request)
      if (result.status >= 300) throw new Error(`${name}: ${result.status} ${JSON.stringify(result.body)}`)
      const budget = statementBudgets[name as keyof typeof statementBudgets] // the table has a part of the kinds
      if (statements.length !== budget)
        throw new Error(`${name}: ${statements.length} statements instead of ${budget}: ${JSON.stringify(statements)}`)
      recorded[name] = statements.map(stored)
    }
    const { doctors, token, session, hold, ...ids } = world
    const all = {
      known: Object.values(ids).filter((id) => typeof id === "string"),
      doctors,
      patients: found.rows.map(({ uid }) => uid),
      customers,
      start,
      length: MINUTES * 60,
      requests: recorded
    }
    const file = join(folder, "recorded.json")
    writeFileSync(file, JSON.stringify(all satisfies { [K in keyof Recorded]: unknown }))
    const auto = await startBare(file, recorder.databaseUrl, "auto")
    const same = await startBare(file, recorder.databaseUrl, "same")
    const counts = Object.fromEntries(Object.entries(recorded).map(([name, all]) => [name, all.length]))
    return { auto, same, counts }
  }

  let slot = 0
  /** The next free time of one of the doctors, from the third day on: searches are for the first one, which stays free. */
  const nextSlot = () => {
    const index = slot++
    return {
      doctor_uid: world.doctors[index % DOCTORS],
      start_date: inDays(3) + Math.floor(index / DOCTORS) * MINUTES * 60
    }
  }
  let turn = 0
  const nextCustomer = () => {
    const index = turn++ % CUSTOMERS
    return { customer: customers[index] ?? "", token: tokens[index] ?? "" }
  }

  const stop = async (others: ReadonlyArray<{ readonly stop: () => Promise<number> }>) => {
    await Promise.all([service, ...others].map((one) => one.stop()))
    await database.end()
    await recorder.stop()
  }
  return { postmaster, recorder, world, database, service, record, nextSlot, nextCustomer, stop } as const
}

export type Stage = Awaited<ReturnType<typeof setStage>>
