import { Effect, flow, Layer } from "effect"
import { addUnversioned, Conditional } from "../../../http/conditional.ts"
import { inOrganisation } from "../../../http/credentials/credentials.ts"
import { asDoctor, existing } from "../../../http/doctor/asDoctor.ts"
import { groupOf } from "../../../http/group.ts"
import { doctorOf } from "../../../http/management/practice/kinds.ts"
import { below, byDoctor, byKey, wholeRecords } from "../../../http/records.ts"
import { ListQuery } from "../../../schemas/paging.ts"
import { BusySource } from "../schemas/BusySource.ts"
import { BusySources } from "../services/BusySources.ts"
import { CalendarsApi } from "./BusySourcesApi.ts"

const group = groupOf(CalendarsApi)

/** What a reading changes is not of the version: a client's change is not refused because the calendar was read meanwhile. */
const readings = [
  "status",
  "last_success_at",
  "last_error",
  "next_read_at",
  "events",
  "all_day_events",
  "skipped_events",
  "updated_at"
] as const
addUnversioned("busy-sources", readings)
const sourceHandling = wholeRecords(BusySource, ListQuery, BusySource.omit(...readings))

const Practice = group("management.busy_sources", (handlers) =>
  Effect.zipWith(BusySources, Conditional, (service, conditional) => {
    const sources = sourceHandling(service, conditional, below(byKey, doctorOf), "busy_source_uid")
    return handlers
      .handle("list", sources.list)
      .handle("create", sources.create(service.create))
      .handle("get", sources.read(service.get))
      .handle("update", sources.update(service.update, service.examine))
      .handle("remove", sources.remove(service.remove))
      .handle("refresh", ({ path }) =>
        inOrganisation((owner) => service.refresh(owner, path.doctor_uid, path.busy_source_uid))
      )
  })
)

const Doctors = group("doctor.busy_sources", (handlers) =>
  Effect.zipWith(BusySources, Conditional, (service, conditional) => {
    const sources = sourceHandling(service, conditional, byDoctor, "busy_source_uid")
    return handlers
      .handle("list", flow(sources.list, existing))
      .handle("create", flow(sources.create(service.create), existing))
      .handle("get", sources.read(service.get))
      .handle("update", sources.update(service.update, service.examine))
      .handle("remove", sources.remove(service.remove))
      .handle("refresh", ({ path }) =>
        asDoctor(({ organisation_uid, doctor_uid }) =>
          service.refresh(organisation_uid, doctor_uid, path.busy_source_uid)
        )
      )
  })
)

export const CalendarsHttp = Layer.merge(Practice, Doctors)
