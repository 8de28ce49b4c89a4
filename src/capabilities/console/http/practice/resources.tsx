/** Rooms, devices and persons of a practice, with their weeks. */
import { Effect } from "effect"
import { UnixSeconds } from "../../../../schemas/fields.ts"
import { ResourceUid } from "../../../../schemas/ids.ts"
import type { Appointment } from "../../../../schemas/scheduling/Appointment.ts"
import { addDays, dayIn, isDay, weekOf, zonedInstant } from "../../../shared/pages/zoned.ts"
import { Hours } from "../../pages/parts/Hours.tsx"
import { ResourcesPage } from "../../pages/practice/ResourcesPage.tsx"
import { effectsOf, wantedException } from "../serving/exceptions.ts"
import type { Visitor } from "../serving/visitor.ts"

const PAGE_SIZE = 200

export const resources = Effect.fn("console.resources")(function* ({ api, consoleApi, now, query, texts }: Visitor) {
  const { timezone: zone } = yield* api["organisation.settings"].one({})
  const { data } = yield* api["management.resources"].list({ urlParams: {} })
  const resource = data.find(({ uid }) => uid === query.get("resource"))
  const page = { title: texts.practice.pages.resources, zone }
  if (resource === undefined) return { ...page, body: <ResourcesPage resources={data} chosen={null} /> }

  const named = query.get("week")
  const [monday = ""] = weekOf(isDay(named) ? named : dayIn(now, zone))
  const midnight = zonedInstant(`${monday}T00:00`, zone) ?? 0
  const next = zonedInstant(`${addDays(monday, 7)}T00:00`, zone) ?? 0
  const resource_uid = ResourceUid.make(resource.uid)
  const path = { resource_uid }
  const taking = (status: "confirmed" | "all", from: number, to?: number) =>
    Effect.map(
      api["management.appointments"].list({
        urlParams: {
          resource_uid,
          status,
          from: UnixSeconds.make(from),
          ...(to !== undefined && { to: UnixSeconds.make(to) }),
          page: 0,
          limit: PAGE_SIZE
        }
      }),
      ({ data }) => data.filter((one) => one.status !== "cancelled" && one.status !== "expired")
    )
  const { data: rules } = yield* api["management.resource_hours"].rules({ path, urlParams: {} })
  const { data: overrides } = yield* api["management.resource_hours"].overrides({
    path,
    urlParams: { page: 0, limit: PAGE_SIZE }
  })
  const wanted = wantedException(query, overrides)
  const closing = wanted === null || query.get("kind") !== "closed" ? null : wanted
  const at = (clock: string) => zonedInstant(`${closing?.day}T${clock === "24:00" ? "23:59" : clock}`, zone) ?? 0
  /** Of a day that is closed from one time to another those that lie there. */
  const isHit = ({ start_date, end_date }: Appointment) =>
    closing === null || (start_date < at(closing.end) && end_date > at(closing.start))
  const effects = yield* effectsOf(wanted, {
    preview: (payload) =>
      Effect.map(consoleApi["management.practice"].preview_resource_override({ path, payload }), ({ hit }) => ({
        hit,
        appearing: [],
        disappearing: []
      })),
    booked: (from, to) => Effect.map(taking("confirmed", from, to), (all) => all.filter(isHit)),
    address: ({ uid }) => `/console/practice/appointments/${encodeURIComponent(uid)}`
  })
  const chosen = {
    resource,
    monday,
    midnight,
    week: yield* taking("all", midnight, next - 1),
    hit: yield* taking("confirmed", now),
    hours: (
      <Hours
        path={`/v1/management/scheduling/resources/${resource.uid}`}
        rules={rules}
        overrides={overrides}
        wanted={wanted}
        effects={effects}
        keep={{ resource: resource.uid }}
        isAlways={resource.always_available}
      />
    )
  }
  return { ...page, body: <ResourcesPage resources={data} chosen={chosen} /> }
})
