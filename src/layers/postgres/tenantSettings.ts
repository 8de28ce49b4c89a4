/** The database's settings of a tenancy, which hold until the end of the transaction. */
import { Context, Fiber, Option } from "effect"
import type { RequestSeal } from "../../services/audit/entrySeals.ts"
import { CommitsWith, GenericPlan } from "../../services/database/Database.ts"
import { type Tenancy, tenancyIn } from "../../services/tenancy/Tenancy.ts"

/** `num_nulls` keeps the values out of the response. */
const setting = (organisation: string) =>
  `SELECT num_nulls(set_config('role', $1, true), set_config('sprechstunde.organisation', ${organisation}, true), set_config('sprechstunde.pharmacy', $3, true), set_config('sprechstunde.request', $4, true), set_config('plan_cache_mode', $5, true))`
/**
 * On a Citus cluster the settings must reach the worker nodes: Citus propagates SET LOCAL, which the function runs, only in a
 * transaction block, and does not propagate SET LOCAL ROLE.
 */
const clusterSetting = (organisation: string) =>
  `SELECT cluster_tenancy($1, ${organisation}, $3, $4), set_config('plan_cache_mode', $5, true)`

/** The statements that set a tenancy: of a given organisation, and of one that the database looks up. */
export const settingsOf = (isCluster: boolean) => {
  const text = isCluster ? clusterSetting : setting
  return {
    given: { name: "tenancy", text: text("$2") },
    /** Prepared on first use, since a migration creates the function. */
    finding: { name: "tenancy_found", text: text("coalesce(organisation_by($6, $2), '')") }
  }
}

const encodeRequest = ({ actor, ...request }: NonNullable<Tenancy["request"]>, seal: RequestSeal | null) =>
  JSON.stringify({ ...request, actor_kind: actor.kind, actor_uid: actor.uid, ...seal })

/** Memoised, since all statements of a request share a tenancy. */
const encodedTenancies = new WeakMap<Tenancy, Array<string>>()

/** A seal marks the audit entries of a tenancy's request as the service's. */
const encoded = (tenancy: Tenancy, nextSeal: () => RequestSeal | null) => {
  const known = encodedTenancies.get(tenancy)
  if (known !== undefined) return known
  const { role, organisation, organisation_by, pharmacy, request } = tenancy
  const values = [
    role === "login" ? "none" : `sprechstunde_${role}`,
    organisation_by?.key ?? organisation,
    pharmacy,
    request === null ? "" : encodeRequest(request, nextSeal()),
    "auto",
    ...(organisation_by === null ? [] : [organisation_by.kind])
  ]
  encodedTenancies.set(tenancy, values)
  return values
}

/** The values of the statement that sets this tenancy. */
export const valuesOf = (tenancy: Tenancy, nextSeal: () => RequestSeal | null, isGeneric: boolean) => {
  const values = encoded(tenancy, nextSeal)
  return isGeneric ? values.with(4, "force_generic_plan") : values
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

/** Whether the current fiber's statement runs by the generic plan. */
export const isGenericInFiber = (): boolean => Context.get(contextOfFiber(), GenericPlan)
