/** Which methods a path answers to, for 405 and its `Allow`. Asked only when no route was found. */
import { HttpApi } from "@effect/platform"
import { Api } from "./Api.ts"

const patterns = new Map<string, { readonly pattern: RegExp; readonly methods: Set<string> }>()

HttpApi.reflect(Api, {
  onGroup: () => {},
  onEndpoint: ({ endpoint }) => {
    const pattern = new RegExp(`^${endpoint.path.replace(/\/$/, "").replace(/:[A-Za-z_]+/g, "[^/]+")}$`)
    const known = patterns.get(pattern.source) ?? { pattern, methods: new Set() }
    known.methods.add(endpoint.method)
    patterns.set(pattern.source, known)
  }
})

const isDecodable = (path: string) => {
  try {
    decodeURIComponent(path)
    return true
  } catch {
    return false // a URIError: "%" without two digits behind it, or bytes that are no UTF-8
  }
}

/** What every process serves, a worker too. */
const HEALTH = new Set(["/healthz", "/readyz", "/metrics"])
const DOCUMENTS = new Set(["/openapi.json", "/docs"])

/** The router takes a path with a slash at its end for the same one. */
const bare = (url: string) => (url.split("?", 1)[0] ?? "").replace(/(?<=.)\/+$/, "")

export const workerMethodsOf = (url: string): ReadonlyArray<string> => (HEALTH.has(bare(url)) ? ["GET"] : [])

export const methodsOf = (url: string): ReadonlyArray<string> => {
  const path = bare(url)
  if (!isDecodable(path)) return []
  if (HEALTH.has(path) || DOCUMENTS.has(path)) return ["GET"]
  return [...patterns.values()].flatMap(({ pattern, methods }) => (pattern.test(path) ? [...methods] : []))
}
