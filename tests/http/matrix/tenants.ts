import { isLong } from "../../support/scale.ts"
import type { TestServer } from "../../support/server.ts"
import type { Operation } from "./operations.ts"
import { makeTenant, type Tenant } from "./tenant.ts"

/** These end, move or take something that other operations need: a record, a time, the subscription's state, the clock. */
const TAKING = [
  /\/(cancel|bulk-cancel|bulk-move|complete|complete_order|no-show|withdraw|erase|merge|restrict|rebook|external-sign)$/,
  /\/(status|retry|replay|clock|holds|reminders|appointments|booking-sessions|join|\{subscription_uid\})$/
]

const isReading = ({ method }: Operation) => method === "GET"
const isTaking = ({ method, path }: Operation) => method === "DELETE" || TAKING.some((one) => one.test(path))

/**
 * Tenants for the operations of a file: those that only read share one, and so do all others but those with a tenant of
 * their own, by default those that take something. In the long run each operation that does not only read has its own.
 */
export const tenants = (hasOwn = isTaking) => {
  const shared = new Map<TestServer, Map<string, Promise<Tenant>>>()
  return (server: TestServer, operation: Operation): Promise<Tenant> => {
    const isOwn = hasOwn(operation) || (isLong && !isReading(operation))
    if (isOwn) return makeTenant(server)
    const known = shared.get(server) ?? new Map<string, Promise<Tenant>>()
    shared.set(server, known)
    const kind = isReading(operation) ? "reading" : "writing"
    const tenant = known.get(kind) ?? makeTenant(server)
    known.set(kind, tenant)
    return tenant
  }
}
