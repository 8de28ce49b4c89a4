import { Effect, Layer } from "effect"
import type { BusySourceUid, DoctorUid } from "../../../schemas/ids.ts"
import { Listed, ListQuery } from "../../../schemas/paging.ts"
import { BusySource, type BusySourceChanges } from "../../../schemas/scheduling/BusySource.ts"
import { Idempotency } from "../../../services/Idempotency.ts"
import { BusySources, type SourceScope } from "../../../services/scheduling/calendar/BusySources.ts"
import { Conditional, type IfMatch, listTags, recordTags } from "../../conditional.ts"
import { currentOrganisation } from "../../credentials/credentials.ts"
import { asDoctor, existing } from "../../doctor/asDoctor.ts"
import { group } from "../../group.ts"
import { holders, idempotentRemote } from "../../idempotent.ts"
import { inData } from "../../inData.ts"

/** What a reading changes is not of the version: a client's change is not refused because the calendar was read meanwhile. */
const Settings = BusySource.omit(
  "status",
  "last_success_at",
  "last_error",
  "next_read_at",
  "events",
  "all_day_events",
  "updated_at"
)
const single = recordTags(Settings)
const listed = listTags(Listed(Settings), ListQuery)

const operations = Effect.zipWith(BusySources, Conditional, (sources, { changeIfMatch }) => {
  const tags = (scope: SourceScope, uid: BusySourceUid) => ({
    record: Effect.map(sources.findForChange(scope, uid), single.tagOf),
    isListed: listed.isCurrent((query) => inData(sources.list(scope, query)))
  })
  return {
    sources,
    list: (scope: SourceScope, query: ListQuery) => inData(sources.list(scope, query)),
    update: (scope: SourceScope, uid: BusySourceUid, headers: IfMatch, changes: BusySourceChanges) =>
      Effect.zipRight(
        sources.examine(changes),
        changeIfMatch(headers, tags(scope, uid), sources.update(scope, uid, changes))
      ).pipe(single.tagged),
    remove: (scope: SourceScope, uid: BusySourceUid, headers: IfMatch) =>
      changeIfMatch(headers, tags(scope, uid), sources.remove(scope, uid))
  }
})

const ofDoctor = ({ doctor_uid }: { readonly doctor_uid: DoctorUid }) =>
  Effect.map(currentOrganisation, (organisation_uid): SourceScope => ({ organisation_uid, doctor_uid }))

export const BusySourcesHttp = group("management.busy_sources", (handlers) =>
  Effect.map(operations, ({ sources, list, update, remove }) =>
    handlers
      .handle("list", ({ path, urlParams }) =>
        listed.tagged(
          Effect.flatMap(ofDoctor(path), (scope) => list(scope, urlParams)),
          urlParams
        )
      )
      .handle("create", (request) =>
        idempotentRemote(
          request,
          { name: "busy sources", answer: BusySource, by: holders.key },
          Effect.flatMap(ofDoctor(request.path), (scope) => sources.create(scope, request.payload))
        ).pipe(single.tagged)
      )
      .handle("get", ({ path }) =>
        Effect.flatMap(ofDoctor(path), (scope) => sources.get(scope, path.busy_source_uid)).pipe(single.tagged)
      )
      .handle("update", ({ path, headers, payload }) =>
        Effect.flatMap(ofDoctor(path), (scope) => update(scope, path.busy_source_uid, headers, payload))
      )
      .handle("remove", ({ path, headers }) =>
        Effect.flatMap(ofDoctor(path), (scope) => remove(scope, path.busy_source_uid, headers))
      )
      .handle("refresh", ({ path }) =>
        Effect.flatMap(ofDoctor(path), (scope) => sources.refresh(scope, path.busy_source_uid))
      )
  )
).pipe(Layer.provide([Idempotency.Default, Conditional.Default, BusySources.Default]))

export const DoctorBusySourcesHttp = group("doctor.busy_sources", (handlers) =>
  Effect.map(operations, ({ sources, list, update, remove }) =>
    handlers
      .handle("list", ({ urlParams }) =>
        listed.tagged(asDoctor((scope) => list(scope, urlParams)).pipe(existing), urlParams)
      )
      .handle("create", (request) =>
        idempotentRemote(
          request,
          { name: "busy sources", answer: BusySource, by: holders.doctor },
          asDoctor((scope) => sources.create(scope, request.payload)).pipe(existing)
        ).pipe(single.tagged)
      )
      .handle("get", ({ path }) => asDoctor((scope) => sources.get(scope, path.busy_source_uid)).pipe(single.tagged))
      .handle("update", ({ path, headers, payload }) =>
        asDoctor((scope) => update(scope, path.busy_source_uid, headers, payload))
      )
      .handle("remove", ({ path, headers }) => asDoctor((scope) => remove(scope, path.busy_source_uid, headers)))
      .handle("refresh", ({ path }) => asDoctor((scope) => sources.refresh(scope, path.busy_source_uid)))
  )
).pipe(Layer.provide([Idempotency.Default, Conditional.Default, BusySources.Default]))
