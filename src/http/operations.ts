/** Names of operations by method and path. */
import { HttpApi } from "@effect/platform"
import { Api } from "./Api.ts"

/** `METHOD path` → operation name, for every endpoint of the API. */
export const operations: ReadonlyMap<string, string> = (() => {
  const found = new Map<string, string>()
  HttpApi.reflect(Api, {
    onGroup: () => {},
    onEndpoint: ({ group, endpoint }) =>
      found.set(`${endpoint.method} ${endpoint.path}`, `${group.identifier}.${endpoint.name}`)
  })
  return found
})()
