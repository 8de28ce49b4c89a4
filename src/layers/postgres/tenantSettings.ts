/** The database's settings of a tenancy, which hold until the end of the transaction. */
import { Context, Fiber, Option } from "effect"
import { CommitsWith, GenericPlan } from "../../services/database/Database.ts"
import type { TopologyOf } from "../../services/database/Topology.ts"
import { type Tenancy, tenancyIn } from "../../services/tenancy/Tenancy.ts"

/** The statements that set a tenancy: of a given organisation, and of one that the database looks up. */
export const settingsOf = ({ tenancy }: TopologyOf) => ({
  given: { name: "tenancy", text: tenancy("$2") },
  /** Prepared on first use, since a migration creates the function. */
  finding: { name: "tenancy_found", text: tenancy("coalesce(organisation_by($6, $2), '')") }
})

const encodeRequest = ({ actor, ...request }: NonNullable<Tenancy["request"]>) =>
  JSON.stringify({ ...request, actor_kind: actor.kind, actor_uid: actor.uid })

/** Memoised, since all statements of a request share a tenancy. */
const encodedTenancies = new WeakMap<Tenancy, Array<string>>()

const encoded = (tenancy: Tenancy) => {
  const known = encodedTenancies.get(tenancy)
  if (known !== undefined) return known
  const { role, organisation, organisation_by, pharmacy, request } = tenancy
  const values = [
    role === "login" ? "none" : `sprechstunde_${role}`,
    organisation_by?.key ?? organisation,
    pharmacy,
    request === null ? "" : encodeRequest(request),
    "auto",
    ...(organisation_by === null ? [] : [organisation_by.kind])
  ]
  encodedTenancies.set(tenancy, values)
  return values
}

/** The values of the statement that sets this tenancy. */
export const valuesOf = (tenancy: Tenancy, isGeneric: boolean) => {
  const values = encoded(tenancy)
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
