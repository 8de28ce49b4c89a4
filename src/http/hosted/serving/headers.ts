/** What the policy of one page has to allow beyond its own origin. */
export interface PageRights {
  readonly nonce: string
  /** origins whose pages may frame this one; empty: none may */
  readonly ancestors: ReadonlyArray<string>
  /** addresses a script may connect to besides this origin (the signalling socket, for browsers whose 'self' has no ws) */
  readonly connect?: ReadonlyArray<string>
  /** the page shows PDFs of this origin */
  readonly documents?: boolean
  /** the page may ask for camera and microphone */
  readonly camera?: boolean
}

/** An unguessable value for one response's Content-Security-Policy. */
export const makeNonce = () => crypto.getRandomValues(new Uint8Array(16)).toBase64()

/**
 * Content-Security-Policy of a hosted page: nothing but this origin, scripts only with this response's nonce, the
 * one inline style (the practice's colour) likewise, no plugin, no base address, and frames only where the organisation says so (Rule 5.5.6).
 */
export const contentSecurityPolicy = ({ nonce, ancestors, connect = [], documents = false }: PageRights) =>
  [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "media-src 'self' blob:",
    // browsers show a PDF in a frame of their own inside of the object
    ...(documents ? ["object-src 'self'", "frame-src 'self'"] : []),
    `connect-src ${["'self'", ...connect].join(" ")}`,
    "form-action 'self'",
    "base-uri 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
    `frame-ancestors ${ancestors.length === 0 ? "'none'" : ["'self'", ...ancestors].join(" ")}`
  ].join("; ")

/** Every header of a hosted page but its type. No cookie is ever set. */
export const pageHeaders = (rights: PageRights): Readonly<Record<string, string>> => ({
  "content-security-policy": contentSecurityPolicy(rights),
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "cross-origin-opener-policy": "same-origin",
  "permissions-policy":
    `camera=(${rights.camera ? "self" : ""}), microphone=(${rights.camera ? "self" : ""}), ` +
    "geolocation=(), payment=(), usb=()",
  "cache-control": "no-store",
  "x-robots-tag": "noindex, nofollow"
})
