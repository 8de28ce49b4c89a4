/**
 * Which addresses may be asked that organisations and partners name: of webhooks and storefronts. They must not be a way into the
 * operator's own network.
 */
import { lookup } from "node:dns/promises"
import { Effect } from "effect"
import ipaddr from "ipaddr.js"
import { AddressRefused } from "../../services/events/WebhookSender.ts"

export interface Address {
  readonly address: string
  readonly family: number
}

export type Resolve = (host: string) => Promise<ReadonlyArray<Address>>

const resolveBySystem: Resolve = (host) => lookup(host, { all: true, verbatim: true })

export interface OutgoingSettings {
  /** Whether addresses in private and loopback ranges may be used. */
  readonly allowPrivate: boolean
  /** Ports that may be used; any when it is absent. */
  readonly ports?: ReadonlyArray<number>
  /** Name resolution; the system's unless a test has names of its own. */
  readonly resolve?: Resolve
  /** Certificate authorities beside the system's. */
  readonly ca?: string
}

/** Names of the machine itself, whatever they resolve to (RFC 6761). */
const LOCAL_NAME = /^(?:.*\.)?localhost\.?$/

/** The same text for a private address and for a name that does not resolve: the difference would disclose internal names. */
export const PRIVATE = "must lead to a public address"

/** The name does not resolve, at this moment. */
export class Unresolvable {
  readonly _tag = "Unresolvable"
  constructor(readonly code: string) {}
}

/** The parsed address when its form is one that can be asked. */
const wellFormed = (text: string): Effect.Effect<URL, AddressRefused> => {
  const url = URL.parse(text)
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:"))
    return new AddressRefused({ reason: "must be an http or https address" })
  if (url.username !== "" || url.password !== "")
    return new AddressRefused({ reason: "must not carry a user name or password" })
  return Effect.succeed(url)
}

/**
 * Where the host leads. A host that leads anywhere private is refused as a whole, so that a name with two answers is no
 * way around. The connection is then made to these very addresses: a name cannot change its answer in between.
 */
const destinations = (url: URL, resolve: Resolve, allowPrivate: boolean) =>
  Effect.gen(function* () {
    const host = url.hostname.replace(/^\[(.*)\]$/, "$1")
    if (!allowPrivate && LOCAL_NAME.test(host)) return yield* new AddressRefused({ reason: PRIVATE })
    const found = ipaddr.isValid(host)
      ? [{ address: host, family: ipaddr.parse(host).kind() === "ipv6" ? 6 : 4 }]
      : yield* Effect.tryPromise({ try: () => resolve(host), catch: codeOf })
    if (!allowPrivate && found.some(({ address }) => !isPublic(address)))
      return yield* new AddressRefused({ reason: PRIVATE })
    return found
  })

const IPV4_COMPATIBLE = ipaddr.parseCIDR("::/96")

/**
 * Public unicast only. An IPv4-mapped address counts as the IPv4 address; IPv4-compatible (`::127.0.0.1`), translated and
 * tunnelled ranges are refused.
 */
const isPublic = (address: string) => {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.parse(address)
  const compatible = parsed.kind() === "ipv6" && parsed.match(IPV4_COMPATIBLE)
  return !compatible && ipaddr.process(address).range() === "unicast"
}

const codeOf = (error: unknown) =>
  new Unresolvable(error instanceof Error && "code" in error ? String(error.code) : "unknown")

const portOf = ({ port, protocol }: URL) => (port === "" ? (protocol === "https:" ? 443 : 80) : Number(port))

/** The address and where it leads. Fails with `AddressRefused` and `Unresolvable`. */
export const examined = (text: string, { allowPrivate, ports, resolve = resolveBySystem }: OutgoingSettings) =>
  wellFormed(text).pipe(
    Effect.filterOrFail(
      (url) => ports === undefined || ports.includes(portOf(url)),
      () => new AddressRefused({ reason: `must use port ${ports?.join(" or ")}` })
    ),
    Effect.flatMap((url) => Effect.map(destinations(url, resolve, allowPrivate), (at) => ({ url, at })))
  )
