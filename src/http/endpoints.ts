import { HttpApi } from "@effect/platform"

/** An endpoint, and the errors that it declares by status. */
type DeclaredEndpoint = Parameters<Parameters<typeof HttpApi.reflect>[1]["onEndpoint"]>[0]

/** Every endpoint of an interface. */
export const endpointsOf = (api: HttpApi.HttpApi.Any): ReadonlyArray<DeclaredEndpoint> => {
  const found: Array<DeclaredEndpoint> = []
  // The cast: `reflect` is typed for an interface whose groups are known; it only walks them
  HttpApi.reflect(api as never, { onGroup: () => {}, onEndpoint: (endpoint) => found.push(endpoint) })
  return found
}
