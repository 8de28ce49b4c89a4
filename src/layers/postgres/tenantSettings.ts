/** The database's settings of a tenancy, which hold until the end of the transaction. */
import { Context, Fiber, Option } from "effect"
import type { RequestSeal } from "../../services/audit/entrySeals.ts"
import { CommitsWith } from "../../services/database/Database.ts"
import { type Tenancy, tenancyIn } from "../../services/tenancy/Tenancy.ts"

/** `num_nulls` keeps the values out of the response. */
const setting = (organisation: string) =>
  `SELECT num_nulls(set_config('role', $1, true), set_config('sprechstunde.organisation', ${organisation}, true), set_config('sprechstunde.pharmacy', $3, true), set_config('sprechstunde.request', $4, true))`
/**
 * On a Citus cluster the settings must reach the worker nodes: Citus propagates SET LOCAL, which the function runs, only in a
 * transaction block, and does not propagate SET LOCAL ROLE.
 */
const clusterSetting = (organisation: string) => `SELECT cluster_tenancy($1, ${organisation}, $3, $4)`

/** The statements that set a tenancy: of a given organisation, and of one that the database looks up. */
export const settingsOf = (isCluster: boolean) => {
  const text = isCluster ? clusterSetting : setting
  return {
    given: { name: "tenancy", text: text("$2") },
    /** Prepared on first use, since a migration creates the function. */
    finding: { name: "tenancy_found", text: text("coalesce(organisation_by($5, $2), '')") }
  }
}

const encodeRequest = ({ actor, ...request }: NonNullable<Tenancy["request"]>, seal: RequestSeal | null) =>
  JSON.stringify({ ...request, actor_kind: actor.kind, actor_uid: actor.uid, ...seal })

/** Memoised, since all statements of a request share a tenancy. */
const encodedTenancies = new WeakMap<Tenancy, Array<string>>()

/** The values of the statement that sets this tenancy. A seal marks the audit entries of its request as the service's. */
export const valuesOf = (tenancy: Tenancy, nextSeal: () => RequestSeal | null) => {
  const known = encodedTenancies.get(tenancy)
  if (known !== undefined) return known
  const { role, organisation, organisation_by, pharmacy, request } = tenancy
  const values = [
    role === "login" ? "none" : `sprechstunde_${role}`,
    organisation_by?.key ?? organisation,
    pharmacy,
    request === null ? "" : encodeRequest(request, nextSeal()),
    ...(organisation_by === null ? [] : [organisation_by.kind])
  ]
  encodedTenancies.set(tenancy, values)
  return values
}

const contextOfFiber = () =>
  Option.getOrElse(
    Option.map(Fiber.getCurrentFiber(), (fiber) => fiber.currentContext),
    Context.empty
  )

/** The tenancy of the current fiber; outside of a fiber there is no tenant. */
export const tenancyOfFiber = (): Tenancy => tenancyIn(contextOfFiber())

/** Whether the current fiber's statement is its transaction's last. */
export const commitsWithFiber = (): boolean => Context.get(contextOfFiber(), CommitsWith)
