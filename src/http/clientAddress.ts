/** The address of the caller, as rate limits and the audit log need it. Rule 2.7.5. */
import type { HttpServerRequest } from "@effect/platform"
import { Option } from "effect"
import ipaddr from "ipaddr.js"

export type Network = readonly [ipaddr.IPv4 | ipaddr.IPv6, number]

/** IPv4 addresses mapped into IPv6 become IPv4; undefined for text that is no address. A port is left out. */
const parse = (text: string) => {
  const bare = /^\s*(?:\[([^\]]*)\](?::\d+)?|([\d.]+)(?::\d+)?|([^\s]+))\s*$/.exec(text)
  const address = bare?.[1] ?? bare?.[2] ?? bare?.[3] ?? ""
  return ipaddr.isValid(address) ? ipaddr.process(address) : undefined
}

type Address = NonNullable<ReturnType<typeof parse>>

const isIn = (address: Address, networks: ReadonlyArray<Network>) =>
  networks.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits))

/** More proxies than any installation has: a longer header is not read to its end. */
const MAX_HOPS = 32

/**
 * The right-most address of `X-Forwarded-For` that is not a trusted proxy's, if the connection itself comes from one;
 * otherwise the connection's own. An entry that is no address ends the walk at the proxy that passed it on. Undefined
 * when the connection has no address.
 */
export const clientAddress = (
  { headers, remoteAddress }: Pick<HttpServerRequest.HttpServerRequest, "headers" | "remoteAddress">,
  trustedProxies: ReadonlyArray<Network>
): Address | undefined => {
  const connection = Option.getOrUndefined(Option.map(remoteAddress, parse))
  const forwarded = headers["x-forwarded-for"]
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

/** A network that tells where a caller was about, and not who: /24 of IPv4, /48 of IPv6. Rule 13.1.2. */
export const wideNetworkOf = (address: Address): string =>
  address instanceof ipaddr.IPv6
    ? `${address.parts
        .slice(0, 3)
        .map((part) => part.toString(16))
        .join(":")}::/48`
    : `${address.octets.slice(0, 3).join(".")}.0/24`

/** One caller's share of the address space: an IPv4 address, or the /64 network that an IPv6 subscriber has at least. */
export const networkOf = (address: Address): string =>
  address instanceof ipaddr.IPv6
    ? `${address.parts
        .slice(0, 4)
        .map((part) => part.toString(16))
        .join(":")}::/64`
    : address.toString()
