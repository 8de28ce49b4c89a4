/** Addresses to which a page may lead a patient after a booking. Rule 4.3.9. */

const isLoopback = (host: string) => /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(host)

/**
 * An absolute https address, or http on a loopback address, without user info, control characters and backslashes, which browsers and
 * other readers of addresses take differently.
 */
export const isReturnUrl = (text: string): boolean => {
  if (/[\p{Cc}\\]/u.test(text) || !/^https?:\/\/[^/]/i.test(text)) return false
  const [, authority = ""] = /^\w+:\/\/([^/?#]*)/.exec(text) ?? []
  const url = URL.parse(text)
  if (url === null || authority.includes("@")) return false
  return url.protocol === "https:" || isLoopback(url.hostname)
}
