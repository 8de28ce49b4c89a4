/** The search of an audit log, as pages and the interface write it. */
import { addDays, isDay, zonedInstant } from "../../../pages/console/zoned.ts"

export const auditSearchIn = (query: URLSearchParams) => {
  const of = (name: string) => query.get(name)?.trim() ?? ""
  return {
    owner: of("owner"),
    action: of("action"),
    actor: of("actor"),
    subject: of("subject"),
    from: of("from"),
    until: of("until")
  }
}

/** Parameters of the interface's list; those that are empty are left out. */
export const auditParametersOf = (
  { from, until, owner: _, ...filters }: ReturnType<typeof auditSearchIn>,
  after: string | null,
  zone: string
): Readonly<Record<string, string>> => {
  const second = (day: string) => (isDay(day) ? String(zonedInstant(`${day}T00:00`, zone) ?? "") : "")
  const all = {
    ...filters,
    from: second(from),
    to: isDay(until) ? second(addDays(until, 1)) : "",
    after: after ?? ""
  }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ""))
}
