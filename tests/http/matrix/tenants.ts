import { isLong } from "../../support/scale.ts"
import type { TestServer } from "../../support/server.ts"
import { type Operation, operations, pathParameters } from "./operations.ts"
import { makeTenant, type Tenant } from "./tenant.ts"

/** These end, move or take something that other operations need: a record, a time, the subscription's state, the clock. */
const TAKING = [
  /\/(cancel|bulk-cancel|bulk-move|complete|complete_order|no-show|withdraw|erase|merge|restrict|rebook|external-sign)$/,
  /\/(status|retry|replay|clock|holds|reminders|appointments|booking-sessions|join|\{subscription_uid\})$/
]

/** Without one of these hardly any other operation finds its records. */
const NEEDED = ["doctor_uid", "patient_uid", "appointment_type_uid", "key_id", "uid"]

const isReading = ({ method }: Operation) => method === "GET"
export const readingOrWriting = (operation: Operation) => (isReading(operation) ? "reading" : "writing")

/** What an operation takes: the last record that its path names, or a time; `all` if others need it. */
const takenBy = (operation: Operation): string | undefined => {
  const { method, path } = operation
  if (isReading(operation) || (method !== "DELETE" && !TAKING.some((one) => one.test(path)))) return undefined
  const name = pathParameters(operation).at(-1)?.name ?? "time"
  if (NEEDED.includes(name) || /bulk|clock/.test(path)) return "all"
  return ["appointment_uid", "meeting_uid", "booking_launch_code"].includes(name) ? "time" : name
}

/** Whether another operation no longer finds the record. */
export const endsRecord = ({ method, path }: Operation) =>
  method === "DELETE" || /\/(withdraw|erase|merge|restrict|retry|replay)$/.test(path)

/** Operations that take the same have tenants of different names. */
export const byTaken = (operation: Operation) => {
  const taken = takenBy(operation)
  if (taken === undefined) return readingOrWriting(operation)
  const others = operations.filter((other) => takenBy(other) === taken)
  return taken === "all" ? operation.id : `taking ${others.indexOf(operation)}`
}

/**
 * Tenants for the operations of a file: those with the same name share one. In the long run each operation that does not
 * only read has its own.
 */
export const tenants = (nameOf = byTaken) => {
  const shared = new Map<TestServer, Map<string, Promise<Tenant>>>()
  return (server: TestServer, operation: Operation): Promise<Tenant> => {
    const name = isLong && !isReading(operation) ? operation.id : nameOf(operation)
    const known = shared.get(server) ?? new Map<string, Promise<Tenant>>()
    shared.set(server, known)
    const tenant = known.get(name) ?? makeTenant(server)
    known.set(name, tenant)
    return tenant
  }
}
