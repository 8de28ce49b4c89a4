/**
 * The connection pool, a subclass of the driver's pool that Effect's client uses, of `ServiceClient`s:
 * - establishing a connection takes at most 5 seconds; whoever needs it retries;
 * - the queue for a connection is bounded: beyond it a request is rejected immediately instead of timing out; the edge shares it fairly (`costClasses`).
 */
import { Pool, type PoolClient, type PoolConfig } from "pg"
import { poolRefusals, poolWait } from "../../services/metrics.ts"
import { type ServiceClientOptions, serviceClient } from "./ServiceClient.ts"

export interface ServicePoolOptions extends Omit<ServiceClientOptions, "nameOf" | "diskFull"> {
  /** Requests that may wait for a connection. */
  readonly waitingMax: number
}

/** The queue for a connection is full. */
export class QueueFull extends Error {
  readonly code = "QUEUE_FULL"
  constructor(waiting: number) {
    super(`${waiting} callers wait for a connection to the database already`)
  }
}

/** Statement texts remembered, of which those that repeat are prepared: each takes memory on every connection. */
const STATEMENTS_MAX = 400

type Connected = (
  error: Error | undefined,
  client: PoolClient | undefined,
  release: (broken?: Error | boolean) => void
) => void

/** Returns a name for prepared statements: undefined at a text's first occurrence and beyond the limit. */
const statementNames = () => {
  const names = new Map<string, string | undefined>()
  return (text: string): string | undefined => {
    const known = names.get(text)
    if (known !== undefined) return known
    if (!names.has(text)) {
      if (names.size < STATEMENTS_MAX) names.set(text, undefined)
      return undefined
    }
    const name = `s_${Bun.hash(text).toString(36)}`
    names.set(text, name)
    return name
  }
}

export class ServicePool extends Pool {
  /** Whether a statement failed because the database's disk is full; reset by whoever finds that it has space again. */
  isDiskFull = false
  constructor(
    config: PoolConfig,
    private readonly limits: ServicePoolOptions
  ) {
    const diskFull = () => {
      this.isDiskFull = true
    }
    const Client = serviceClient({ ...limits, nameOf: statementNames(), diskFull })
    super({
      ...config,
      Client,
      onConnect: (client) => (client instanceof Client ? client.prepare() : undefined)
    })
  }

  override connect(): Promise<PoolClient>
  override connect(callback: Connected): void
  override connect(callback?: Connected): Promise<PoolClient> | undefined {
    if (callback === undefined)
      return new Promise((resolve, reject) =>
        this.connect((error, client) => (client === undefined ? reject(error) : resolve(client)))
      )
    const since = performance.now()
    const timed: Connected = (...answer) => {
      poolWait.unsafeUpdate((performance.now() - since) / 1_000, [])
      callback(...answer)
    }
    if (this.waitingCount < this.limits.waitingMax) return void super.connect(timed)
    poolRefusals.unsafeUpdate(1, [])
    timed(new QueueFull(this.waitingCount), undefined, () => {})
  }
}
