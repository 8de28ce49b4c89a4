/** Names of operations by method and path, and which of them are reads that the audit log records. */
import { Api } from "./Api.ts"
import { recordedOf } from "./annotations.ts"
import { endpointsOf } from "./endpoints.ts"

const all = endpointsOf(Api).map((one) => {
  const { method, path, name } = one.endpoint
  return {
    at: `${method} ${path}`,
    name: `${one.group.identifier}.${name}`,
    isRecorded: method === "GET" && recordedOf(one) === true
  }
})

/** `METHOD path` → operation name, for every endpoint of the API. */
export const operations: ReadonlyMap<string, string> = new Map(all.map(({ at, name }) => [at, name]))

/** `METHOD path` of the recorded reads. */
export const recordedReads: ReadonlySet<string> = new Set(all.flatMap(({ at, isRecorded }) => (isRecorded ? [at] : [])))
