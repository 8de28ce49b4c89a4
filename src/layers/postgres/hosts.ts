/**
 * Database URLs with several hosts, as in libpq: `postgresql://user@a:5432,b:5432/name`. Every connection, including those for
 * LISTEN, goes to the current primary. The driver supports only one host, so it gets a socket that first finds the primary.
 */
import { Socket } from "node:net"
import { type ConnectionOptions, checkServerIdentity } from "node:tls"
import { Predicate, Redacted } from "effect"
import { Client } from "pg"
import { isTransientCause } from "../../services/database/SqlErrors.ts"
import { withClient } from "../../services/database/withClient.ts"

/** Connection options accepted by the driver, pg-boss and Effect's client. */
export interface ConnectionTo {
  readonly connectionString: string
  readonly stream?: () => Socket
  readonly ssl?: ConnectionOptions
}

interface Host {
  readonly host: string
  readonly port: number
  /** The URL with only this host. */
  readonly url: string
}

const PORT = 5432
/** Time-out of a probe. All hosts are probed in parallel. */
const PROBE_MILLIS = 3_000
const READ_ONLY = "25006"

const ADDRESS = /^(postgres(?:ql)?:\/\/(?:[^@/?]*@)?)([^/?]+)([^?]*)(?:\?(.*))?$/

class NoPrimary extends Error {
  readonly code = READ_ONLY
  constructor(hosts: ReadonlyArray<Host>) {
    super(`none of ${hosts.map(({ host, port }) => `${host}:${port}`).join(", ")} takes writes`)
  }
}

const withParams = (base: string, params: URLSearchParams) => (params.size === 0 ? base : `${base}?${params}`)

/** Whether the host accepts writes. Rejects if it does not answer. */
const probe = ({ url }: Host) =>
  withClient({ connectionString: url, connectionTimeoutMillis: PROBE_MILLIS }, async (client) => {
    const { rows } = await client.query("SELECT current_setting('transaction_read_only') = 'off' AS writes")
    return rows[0]?.writes === true
  })

/** The most specific failure: e.g. a wrong password before a standby, a standby before a host that is down. */
const failureOf = (hosts: ReadonlyArray<Host>, failures: ReadonlyArray<unknown>) =>
  failures.find((failure) => !isTransientCause(failure)) ??
  failures.find((failure) => failure instanceof NoPrimary) ??
  failures[0] ??
  new NoPrimary(hosts)

/** Finds the host that accepts writes. Concurrent callers share one search. */
const primaryFinder = (hosts: ReadonlyArray<Host>) => {
  let search: Promise<Host> | undefined
  const find = () =>
    Promise.any(
      hosts.map(async (host) => {
        if (await probe(host)) return host
        throw new NoPrimary(hosts)
      })
    ).catch((error) => {
      throw failureOf(hosts, error instanceof AggregateError ? error.errors : [error])
    })
  return () => {
    search ??= find().finally(() => {
      search = undefined
    })
    return search
  }
}

const socketTo = (find: () => Promise<Host>) => {
  const socket = new Socket()
  const connect = socket.connect.bind(socket)
  return Object.assign(socket, {
    connect: () => {
      find().then(
        ({ host, port }) => {
          if (!socket.destroyed) connect(port, host)
        },
        (error) => socket.destroy(error instanceof Error ? error : new Error(String(error)))
      )
      return socket
    }
  })
}

/** The driver's interpretation of `sslmode` and related parameters. */
const sslOf = (url: string): unknown => Reflect.get(new Client({ connectionString: url }), "ssl")

/** Accepts a certificate for any of the hosts; the driver would verify only the name of the first. */
const sslTo = (hosts: ReadonlyArray<Host>, ssl: unknown): { readonly ssl?: ConnectionOptions } => {
  if (ssl === false || ssl === undefined || ssl === null) return {}
  const options: ConnectionOptions = Predicate.isRecord(ssl) ? ssl : {}
  return {
    ssl: {
      checkServerIdentity: (_, certificate) => {
        const faults = hosts.map(({ host }) => checkServerIdentity(host, certificate))
        return faults.includes(undefined) ? undefined : faults[0]
      },
      ...options
    }
  }
}

/** Connection options for a URL. With several hosts, or `target_session_attrs`, it connects to the primary. */
export const connectionTo = (address: string): ConnectionTo => {
  const [, start = "", list = "", path = "", query = ""] = ADDRESS.exec(address) ?? []
  const params = new URLSearchParams(query)
  const isForPrimary = params.has("target_session_attrs") || list.includes(",")
  if (!isForPrimary) return { connectionString: address }
  params.delete("target_session_attrs")
  const hosts = list.split(",").map((entry): Host => {
    const [, host = entry, port = String(PORT)] = /^(.*?)(?::(\d+))?$/.exec(entry) ?? []
    return {
      host: host.replace(/^\[(.*)\]$/, "$1"),
      port: Number(port),
      url: withParams(`${start}${host}:${port}${path}`, params)
    }
  })
  const find = primaryFinder(hosts)
  const [first] = hosts
  const url = first?.url ?? address
  const ssl = sslTo(hosts, sslOf(url))
  // In the URL they would override the options
  for (const name of [...params.keys()]) if (name.startsWith("ssl")) params.delete(name)
  return { connectionString: withParams(url.replace(/\?.*$/, ""), params), stream: () => socketTo(find), ...ssl }
}

/** The same for `PgClient.make`. */
export const clientTo = (address: Redacted.Redacted<string>) => {
  const { connectionString, ...options } = connectionTo(Redacted.value(address))
  return { ...options, url: Redacted.make(connectionString) }
}
