/** Rule 5.7.13. */
const fingerprintOf = (sdp: string) => {
  const found = /^a=fingerprint:(sha-256) ([0-9a-f:]+)\s*$/im.exec(sdp)
  return found === null ? undefined : `sha-256 ${found[2]?.toUpperCase()}`
}

/** Five groups of three digits, the same on both sides unless somebody is in between; undefined without both descriptions. */
export const securityCode = async (own: string, theirs: string): Promise<string | undefined> => {
  const prints = [fingerprintOf(own), fingerprintOf(theirs)]
  if (prints.includes(undefined)) return undefined
  const hash = new DataView(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(prints.sort().join("\n"))))
  return [0, 2, 4, 6, 8].map((at) => String(hash.getUint16(at) % 1000).padStart(3, "0")).join(" ")
}
