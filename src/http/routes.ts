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

export const methodsOf = (url: string): ReadonlyArray<string> => {
  const path = url.split("?", 1)[0] ?? ""
  return [...patterns.values()].flatMap(({ pattern, methods }) => (pattern.test(path) ? [...methods] : []))
}
