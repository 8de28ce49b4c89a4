/** Which methods a path answers to, for 405 and its `Allow`. Asked only when no route was found. */
import { HttpApi } from "@effect/platform"
import { Api } from "./Api.ts"

const patterns = new Map<string, { readonly pattern: RegExp; readonly methods: Set<string> }>()

HttpApi.reflect(Api, {
  onGroup: () => {},
  onEndpoint: ({ endpoint }) => {
    const pattern = new RegExp(`^${endpoint.path.replace(/:[A-Za-z_]+/g, "[^/]+")}$`)
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

export const methodsOf = (url: string): ReadonlyArray<string> => {
  const path = url.split("?", 1)[0] ?? ""
  if (!isDecodable(path)) return []
  return [...patterns.values()].flatMap(({ pattern, methods }) => (pattern.test(path) ? [...methods] : []))
}
