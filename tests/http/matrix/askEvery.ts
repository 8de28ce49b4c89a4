/** Operations of the API, called by a tenant for its own records. */
import type { TestServer } from "../../support/server.ts"
import { keyKind, operations } from "./operations.ts"
import { bodyFor, pathFor } from "./samples.ts"
import { kindsOf, type Tenant } from "./tenant.ts"

/** Operations that delete or end a record come last. */
const order = ["GET", "POST", "PUT", "PATCH", "DELETE"]
const lasting = operations
  .filter(({ path }) => !/(erase|merge)$/.test(path))
  .toSorted((a, b) => order.indexOf(a.method) - order.indexOf(b.method))

/** Calls all that require a credential; `withPublic`: all. The status of each request. */
export const askEvery = async (server: TestServer, tenant: Tenant, withPublic = false) => {
  const statuses: Array<readonly [request: string, status: number]> = []
  for (const operation of lasting) {
    if (operation.security.length === 0 && !withPublic) continue
    // If another operation has already ended the record, the statements have been sent nevertheless
    const found = await Promise.all([pathFor(operation, tenant), bodyFor(operation, tenant)]).catch(() => undefined)
    if (found === undefined) continue
    const [path, body] = found
    const sent = body === undefined ? {} : { body }
    if (operation.security.length === 0) await server.api(operation.method, path, sent)
    for (const kind of kindsOf(operation, keyKind(operation))) {
      const { status } = await server.api(operation.method, path, { ...(await tenant.credentials[kind]()), ...sent })
      statuses.push([`${operation.method} ${path} as ${kind}`, status])
    }
  }
  return statuses
}
