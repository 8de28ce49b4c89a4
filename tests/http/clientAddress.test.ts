import { expect, test } from "bun:test"
import { Headers } from "@effect/platform"
import { Option } from "effect"
import ipaddr from "ipaddr.js"
import { clientAddress, networkOf, subscriberOf } from "../../src/http/admission/clientAddress.ts"

const proxies = ["10.0.0.0/8", "fd00::/8"].map((range) => ipaddr.parseCIDR(range))

/** The client address, for a connection from `connection` with this header. */
const seen = (connection: string | undefined, forwarded?: string) => {
  const headers = Headers.fromInput(forwarded === undefined ? {} : { "x-forwarded-for": forwarded })
  const found = clientAddress({ source: {}, headers, remoteAddress: Option.fromNullable(connection) }, proxies)
  return found === undefined ? undefined : networkOf(found)
}

test.each([
  ["a header of a stranger is not read", "203.0.113.5", "198.51.100.1", "203.0.113.5"],
  ["a proxy's header is", "10.0.0.1", "198.51.100.1", "198.51.100.1"],
  [
    "of several addresses the right-most that is no proxy's",
    "10.0.0.1",
    "1.1.1.1, 198.51.100.1, 10.0.0.7",
    "198.51.100.1"
  ],
  ["what a caller put before it does not count", "10.0.0.1", "10.9.9.9, 127.0.0.1, 198.51.100.1", "198.51.100.1"],
  ["only proxies: the left-most of them", "10.0.0.1", "10.0.0.3, 10.0.0.2", "10.0.0.3"],
  ["no header: the proxy itself", "10.0.0.1", undefined, "10.0.0.1"],
  ["an empty one too", "10.0.0.1", "", "10.0.0.1"],
  ["text that is no address ends the walk", "10.0.0.1", "198.51.100.1, unknown, 10.0.0.2", "10.0.0.2"],
  ["ports are left out", "10.0.0.1", "198.51.100.1:4711", "198.51.100.1"],
  ["of IPv6 as well", "10.0.0.1", "[2001:db8:1:2::3]:443", "2001:db8:1:2::/64"],
  ["IPv4 in IPv6 is IPv4", "::ffff:10.0.0.1", "::ffff:198.51.100.1", "198.51.100.1"],
  ["a proxy in IPv6", "fd00::1", "2001:db8:1:2::3, fd00::2", "2001:db8:1:2::/64"],
  ["one network of IPv6 is one caller", "2001:db8:1:2:ffff::1", undefined, "2001:db8:1:2::/64"],
  ["no connection", undefined, "198.51.100.1", undefined]
])("%s", (_, connection, forwarded, expected) => {
  expect(seen(connection, forwarded)).toBe(expected as string)
})

// Shows: a caller's own `X-Forwarded-For`
test("only the last entries of a very long header are read", () => {
  const long = `198.51.100.1, ${Array(10_000).fill("10.0.0.2").join(", ")}`
  expect(seen("10.0.0.1", long)).toBe("10.0.0.2")
})

test("requests at a time are shared by the network prefix that one subscriber may own; Rule 2.12.1", () => {
  const shareOf = (address: string) => subscriberOf(ipaddr.process(address))
  expect(shareOf("2001:db8:1:2::3")).toBe(shareOf("2001:db8:1:ffff::4"))
  expect(shareOf("2001:db8:2:2::3")).not.toBe(shareOf("2001:db8:1:2::3"))
  expect(shareOf("198.51.100.1")).toBe("198.51.100.1")
})
