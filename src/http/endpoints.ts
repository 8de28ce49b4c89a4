import { HttpApi } from "@effect/platform"

/** An endpoint, and the errors that it declares by status. */
type DeclaredEndpoint = Parameters<Parameters<typeof HttpApi.reflect>[1]["onEndpoint"]>[0]

const reflected = new WeakMap<HttpApi.HttpApi.Any, ReadonlyArray<DeclaredEndpoint>>()

/** Every endpoint of an interface. Found once, since a walk takes some 40 ms and a start needs it in several places. */
export const endpointsOf = (api: HttpApi.HttpApi.Any): ReadonlyArray<DeclaredEndpoint> => {
  const known = reflected.get(api)
  if (known !== undefined) return known
  const found: Array<DeclaredEndpoint> = []
  // The cast: `reflect` is typed for an interface whose groups are known; it only walks them
  HttpApi.reflect(api as never, { onGroup: () => {}, onEndpoint: (endpoint) => found.push(endpoint) })
  reflected.set(api, found)
  return found
}
