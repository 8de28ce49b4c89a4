import { type HttpApiEndpoint, HttpApiGroup } from "@effect/platform"

type Endpoint = HttpApiEndpoint.HttpApiEndpoint.Any

/** A group of endpoints of this name: `HttpApiGroup.make` with an `add` for each. */
export const apiGroup = <const Name extends string, const E extends ReadonlyArray<Endpoint>>(
  name: Name,
  ...endpoints: E
) =>
  endpoints.reduce<HttpApiGroup.HttpApiGroup<string, Endpoint>>(
    (group, endpoint) => group.add(endpoint),
    HttpApiGroup.make(name) as never // whose errors are those of no endpoint
  ) as unknown as HttpApiGroup.HttpApiGroup<Name, E[number]> // `add` widens the type by one endpoint at a time
