/** The search of an audit log, in the query of a page and of the API. */
import { addDays, isDay, zonedInstant } from "../../shared/pages/zoned.ts"

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

/** Query parameters of the API's list, without empty ones. */
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
