import { HttpApi } from "@effect/platform"

/** An endpoint with its group, middleware and the errors that it declares by status. */
type DeclaredEndpoint = Parameters<Parameters<typeof HttpApi.reflect>[1]["onEndpoint"]>[0]

const reflected = new WeakMap<HttpApi.HttpApi.Any, ReadonlyArray<DeclaredEndpoint>>()

/** Every endpoint of an API. Memoised: reflection takes 40 ms and start-up needs the list in several places. */
export const endpointsOf = (api: HttpApi.HttpApi.Any): ReadonlyArray<DeclaredEndpoint> => {
  const known = reflected.get(api)
  if (known !== undefined) return known
  const found: Array<DeclaredEndpoint> = []
  // The cast: `reflect` is typed for an API with known groups, but only iterates over them
  HttpApi.reflect(api as never, { onGroup: () => {}, onEndpoint: (endpoint) => found.push(endpoint) })
  reflected.set(api, found)
  return found
}
