/** What one page's Content-Security-Policy allows beyond the common policy. */
export interface PageRights {
  readonly nonce: string
  /** Origins that may frame the page. */
  readonly ancestors: ReadonlyArray<string>
  /** Other sources for connect-src: a socket, for browsers in which 'self' excludes ws. */
  readonly connect?: ReadonlyArray<string>
  /** Whether the page shows PDFs of this origin. */
  readonly documents?: boolean
  /** Whether the page may request camera and microphone. */
  readonly camera?: boolean
  /** Origin of a call in a frame of the page, which then may request them. */
  readonly call?: string
}

/** A random nonce for one response's Content-Security-Policy. */
export const makeNonce = () => crypto.getRandomValues(new Uint8Array(16)).toBase64()

/**
 * Content-Security-Policy of a hosted page: only this origin; scripts and the one inline style (the practice's colour) only
 * with this response's nonce; no plugins, no base URI; framing only by the organisation's origins (Rule 5.5.6).
 */
export const contentSecurityPolicy = ({ nonce, ancestors, connect = [], documents = false, call }: PageRights) =>
  [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src 'self' 'nonce-${nonce}'`,
    "font-src 'self'",
    "img-src 'self' data:",
    "media-src 'self' blob:",
    // Browsers show a PDF in a frame within the object element
    ...(documents ? ["object-src 'self'"] : []),
    ...(documents || call !== undefined ? [`frame-src ${["'self'", call].filter(Boolean).join(" ")}`] : []),
    `connect-src ${["'self'", ...connect].join(" ")}`,
    "form-action 'self'",
    "base-uri 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
    `frame-ancestors ${ancestors.length === 0 ? "'none'" : ["'self'", ...ancestors].join(" ")}`
  ].join("; ")

/** All headers of a hosted page except Content-Type. Hosted pages set no cookies. */
export const pageHeaders = (rights: PageRights): Readonly<Record<string, string>> => {
  const media = rights.call === undefined ? (rights.camera ? "self" : "") : `self "${rights.call}"`
  return {
    "content-security-policy": contentSecurityPolicy(rights),
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": `camera=(${media}), microphone=(${media}), ` + "geolocation=(), payment=(), usb=()",
    "cache-control": "no-store",
    "x-robots-tag": "noindex, nofollow"
  }
}
