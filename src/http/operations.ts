/** Names of operations by method and path, and which of them are reads that the audit log records. */
import type { HttpApi } from "@effect/platform"
import { recordedOf } from "./annotations.ts"
import { endpointsOf } from "./endpoints.ts"

interface Operations {
  /** `METHOD path` → operation name, for every endpoint of the API. */
  readonly names: ReadonlyMap<string, string>
  /** `METHOD path` of the recorded reads. */
  readonly recordedReads: ReadonlySet<string>
}

export const operationsOf = (api: HttpApi.HttpApi.Any): Operations => {
  const all = endpointsOf(api).map(({ endpoint, group, ...one }) => ({
    at: `${endpoint.method} ${endpoint.path}`,
    name: `${group.identifier}.${endpoint.name}`,
    isRecorded: endpoint.method === "GET" && recordedOf({ endpoint, group, ...one }) === true
  }))
  return {
    names: new Map(all.map(({ at, name }) => [at, name])),
    recordedReads: new Set(all.flatMap(({ at, isRecorded }) => (isRecorded ? [at] : [])))
  }
}
