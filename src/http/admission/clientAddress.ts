/** The client's address, for rate limits and the audit log. Rule 2.7.5. */
import type { HttpServerRequest } from "@effect/platform"
import { Option } from "effect"
import ipaddr from "ipaddr.js"

export type Network = readonly [ipaddr.IPv4 | ipaddr.IPv6, number]

/** Parses an address with or without a port. IPv4-mapped IPv6 becomes IPv4. Undefined for text that is not an address. */
const parse = (text: string) => {
  const bare = /^\s*(?:\[([^\]]*)\](?::\d+)?|([\d.]+)(?::\d+)?|([^\s]+))\s*$/.exec(text)
  const address = bare?.[1] ?? bare?.[2] ?? bare?.[3] ?? ""
  return ipaddr.isValid(address) ? ipaddr.process(address) : undefined
}

export type Address = NonNullable<ReturnType<typeof parse>>

const isIn = (address: Address, networks: ReadonlyArray<Network>) =>
  networks.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits))

/** Entries of `X-Forwarded-For` that are read, from the right. */
const MAX_HOPS = 32

type Connected = Pick<HttpServerRequest.HttpServerRequest, "headers" | "remoteAddress" | "source">

/** The address of a request's connection, since Bun asks the operating system whenever it is asked. */
const connections = new WeakMap<object, Address>()
const connectionOf = (request: Connected) => {
  const source = request.source as object // Bun's request
  const known = connections.get(source)
  if (known !== undefined) return known
  const address = Option.getOrUndefined(Option.map(request.remoteAddress, parse))
  if (address !== undefined) connections.set(source, address)
  return address
}

/**
 * The right-most address of `X-Forwarded-For` that is not a trusted proxy's, if the connection comes from a trusted proxy;
 * otherwise the connection's own. At an entry that is not an address the result is the proxy that added it. Undefined
 * when the connection has no address.
 */
export const clientAddress = (request: Connected, trustedProxies: ReadonlyArray<Network>): Address | undefined => {
  const connection = connectionOf(request)
  const forwarded = request.headers["x-forwarded-for"]
  if (connection === undefined || forwarded === undefined || !isIn(connection, trustedProxies)) return connection
  let nearest = connection
  for (const entry of forwarded.split(",").slice(-MAX_HOPS).reverse()) {
    const address = parse(entry)
    if (address === undefined) return nearest
    if (!isIn(address, trustedProxies)) return address
    nearest = address
  }
  return nearest
}

/** The network prefix of an address, e.g. `2001:db8:1::/48`. The length is a multiple of 16 bits for IPv6, of 8 for IPv4. */
const network = (address: Address, bits: { readonly ipv4: number; readonly ipv6: number }): string =>
  address instanceof ipaddr.IPv6
    ? `${address.parts
        .slice(0, bits.ipv6 / 16)
        .map((part) => part.toString(16))
        .join(":")}::/${bits.ipv6}`
    : bits.ipv4 === 32
      ? address.toString()
      : `${[0, 1, 2, 3].map((at) => (at < bits.ipv4 / 8 ? address.octets[at] : 0)).join(".")}/${bits.ipv4}`

/** A prefix that locates a caller without identifying them: /24 of IPv4, /48 of IPv6. Rule 13.1.2. */
export const wideNetworkOf = (address: Address): string => network(address, { ipv4: 24, ipv6: 48 })

/** The prefix that one client controls: an IPv4 address, or an IPv6 /64, the smallest that subscribers get. */
export const networkOf = (address: Address): string => network(address, { ipv4: 32, ipv6: 64 })

/** The prefix that counts as one owner of requests at a time: an IPv4 address, or an IPv6 /48, a subscriber's largest. Rule 2.12.1. */
export const subscriberOf = (address: Address): string => network(address, { ipv4: 32, ipv6: 48 })

/** The prefix of one provider: /16 of IPv4, /32 of IPv6. */
export const providerOf = (address: Address): string => network(address, { ipv4: 16, ipv6: 32 })
