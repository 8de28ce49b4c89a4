/**
 * SSRF protection for URLs that organisations and partners configure (webhooks, storefronts): they must not reach the
 * operator's network.
 */
import { lookup } from "node:dns/promises"
import { Effect } from "effect"
import ipaddr from "ipaddr.js"
import { AddressRefused } from "../../services/addresses.ts"
import { outgoing } from "../../services/outgoing.ts"

export interface Address {
  readonly address: string
  readonly family: number
}

export type Resolve = (host: string) => Promise<ReadonlyArray<Address>>

const resolveBySystem: Resolve = (host) => lookup(host, { all: true, verbatim: true })

export interface OutgoingSettings {
  /** Whether private and loopback addresses are allowed. */
  readonly allowPrivate: boolean
  /** Allowed ports. Default: all. */
  readonly ports?: ReadonlyArray<number>
  /** Name resolution. Default: the system's; tests pass their own. */
  readonly resolve?: Resolve
  /** Certificate authorities in addition to the system's. */
  readonly ca?: string
}

/** Names of the local machine, whatever they resolve to (RFC 6761). */
const LOCAL_NAME = /^(?:.*\.)?localhost\.?$/

/** Used for private addresses and for names that do not resolve: a difference would disclose internal names. */
const PRIVATE = "must lead to a public address"

/** The name currently does not resolve. */
export class Unresolvable {
  readonly _tag = "Unresolvable"
  constructor(readonly code: string) {}
}

/** Parses a URL. Fails for a scheme or form that is not allowed. */
const wellFormed = (text: string): Effect.Effect<URL, AddressRefused> => {
  const url = URL.parse(text)
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:"))
    return new AddressRefused({ reason: "must be an http or https address" })
  if (url.username !== "" || url.password !== "")
    return new AddressRefused({ reason: "must not carry a user name or password" })
  return Effect.succeed(url)
}

/**
 * Resolves the host. Rejected if any of its addresses is private, so that a name with several addresses is no bypass. The
 * connection uses exactly these addresses, which prevents DNS rebinding.
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

/** All public IPv6 addresses that are assigned so far (RFC 4291). */
const GLOBAL_UNICAST = ipaddr.parseCIDR("2000::/3")

/**
 * Public unicast only. An IPv4-mapped address is checked as IPv4; IPv4-compatible (`::127.0.0.1`), translation and tunnel
 * ranges are rejected.
 */
const isPublic = (address: string) => {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.process(address)
  return parsed.range() === "unicast" && (parsed.kind() === "ipv4" || parsed.match(GLOBAL_UNICAST))
}

const codeOf = (error: unknown) =>
  new Unresolvable(error instanceof Error && "code" in error ? String(error.code) : "unknown")

const portOf = ({ port, protocol }: URL) => (port === "" ? (protocol === "https:" ? 443 : 80) : Number(port))

/** Checks a URL and resolves its host. Fails with `AddressRefused` and `Unresolvable`. */
export const examined = (text: string, { allowPrivate, ports, resolve = resolveBySystem }: OutgoingSettings) =>
  wellFormed(text).pipe(
    Effect.filterOrFail(
      (url) => ports === undefined || ports.includes(portOf(url)),
      () => new AddressRefused({ reason: `must use port ${ports?.join(" or ")}` })
    ),
    Effect.flatMap((url) => Effect.map(destinations(url, resolve, allowPrivate), (at) => ({ url, at })))
  )

const URL_MAX_LENGTH = 2048
/** A name that is not resolved in time counts as unresolvable. */
const call = outgoing({
  to: "name servers, for an address that is entered",
  seconds: 5,
  bytes: null,
  atOnce: 16,
  ofOwner: 4
})

/**
 * Whether an address may be configured. Resolves its name, so it is not for a transaction. `unresolved`: whether a name may be one that does
 * not resolve now.
 */
export const examineAddress =
  (settings: OutgoingSettings) =>
  (text: string, unresolved = settings.allowPrivate): Effect.Effect<void, AddressRefused> =>
    text.length > URL_MAX_LENGTH
      ? new AddressRefused({ reason: `must be at most ${URL_MAX_LENGTH} characters` })
      : examined(text, settings).pipe(
          call(() => new Unresolvable("ETIMEOUT")),
          // If private addresses are allowed an unresolvable name is accepted: it may resolve later, and every call resolves it again
          Effect.catchTag("Unresolvable", () => (unresolved ? Effect.void : new AddressRefused({ reason: PRIVATE }))),
          Effect.asVoid
        )
