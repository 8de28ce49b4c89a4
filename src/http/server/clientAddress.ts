/** The address of the caller, as rate limits and the audit log need it. Rule 2.7.5. */
import type { HttpServerRequest } from "@effect/platform"
import { Option } from "effect"
import ipaddr from "ipaddr.js"
import type { Networks } from "../../services/hosted/PublicBookings.ts"

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

/** The first bits of an address as a network, e.g. `2001:db8:1::/48`. IPv6 in whole groups of 16 bits, IPv4 in whole bytes. */
const network = (address: Address, bits: { readonly ipv4: number; readonly ipv6: number }): string =>
  address instanceof ipaddr.IPv6
    ? `${address.parts
        .slice(0, bits.ipv6 / 16)
        .map((part) => part.toString(16))
        .join(":")}::/${bits.ipv6}`
    : bits.ipv4 === 32
      ? address.toString()
      : `${[0, 1, 2, 3].map((at) => (at < bits.ipv4 / 8 ? address.octets[at] : 0)).join(".")}/${bits.ipv4}`

/** A network that tells where a caller was about, and not who: /24 of IPv4, /48 of IPv6. Rule 13.1.2. */
export const wideNetworkOf = (address: Address): string => network(address, { ipv4: 24, ipv6: 48 })

/** One caller's share of the address space: an IPv4 address, or the /64 network that an IPv6 subscriber has at least. */
export const networkOf = (address: Address): string => network(address, { ipv4: 32, ipv6: 64 })

/** Whose connections to the database are shared out together: of IPv6 the /48 that one subscriber may have all of. Rule 2.7.9. */
export const subscriberOf = (address: Address): string => network(address, { ipv4: 32, ipv6: 48 })

/** The networks that a caller is in, as codes of public bookings are counted. Rule 5.8.4. */
export const networksOf = (address: Address): Networks => ({
  network: networkOf(address),
  site: wideNetworkOf(address),
  provider: network(address, { ipv4: 16, ipv6: 32 })
})
