/** Which addresses webhooks may go to. A subscriber's URL must not be a way into the operator's own network. */
import { lookup } from "node:dns/promises"
import { Effect } from "effect"
import ipaddr from "ipaddr.js"
import { AddressRefused } from "../../services/events/WebhookSender.ts"

export interface Address {
  readonly address: string
  readonly family: number
}

export type Resolve = (host: string) => Promise<ReadonlyArray<Address>>

export const resolveBySystem: Resolve = (host) => lookup(host, { all: true, verbatim: true })

/** The name does not resolve, at this moment. */
export class Unresolvable {
  readonly _tag = "Unresolvable"
  constructor(readonly code: string) {}
}

/** The parsed address when its form is one that webhooks can go to. */
export const wellFormed = (text: string): Effect.Effect<URL, AddressRefused> => {
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
export const destinations = (url: URL, resolve: Resolve, allowPrivate: boolean) =>
  Effect.gen(function* () {
    const host = url.hostname.replace(/^\[(.*)\]$/, "$1")
    const found = ipaddr.isValid(host)
      ? [{ address: host, family: ipaddr.parse(host).kind() === "ipv6" ? 6 : 4 }]
      : yield* Effect.tryPromise({ try: () => resolve(host), catch: codeOf })
    if (!allowPrivate && found.some(({ address }) => !isPublic(address)))
      return yield* new AddressRefused({ reason: "must not lead to a private, loopback or link-local address" })
    return found
  })

/** Public unicast alone; IPv4 inside IPv6 counts as what it stands for, translated and tunnelled ranges are refused. */
const isPublic = (address: string) => ipaddr.isValid(address) && ipaddr.process(address).range() === "unicast"

const codeOf = (error: unknown) =>
  new Unresolvable(error instanceof Error && "code" in error ? String(error.code) : "unknown")
