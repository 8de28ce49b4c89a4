import { Effect, flow, Layer } from "effect"
import { ListQuery } from "../../../schemas/paging.ts"
import { BusySource } from "../../../schemas/scheduling/BusySource.ts"
import { BusySources } from "../../../services/scheduling/calendar/BusySources.ts"
import { Conditional } from "../../conditional.ts"
import { inOrganisation } from "../../credentials/credentials.ts"
import { asDoctor, existing } from "../../doctor/asDoctor.ts"
import { group } from "../../group.ts"
import { below, byDoctor, byKey, wholeRecords } from "../../records.ts"
import { doctorOf } from "./kinds.ts"

/** What a reading changes is not of the version: a client's change is not refused because the calendar was read meanwhile. */
const Settings = BusySource.omit(
  "status",
  "last_success_at",
  "last_error",
  "next_read_at",
  "events",
  "all_day_events",
  "skipped_events",
  "updated_at"
)
const sourceHandling = wholeRecords("busy sources", BusySource, ListQuery, Settings)

export const BusySourcesHttp = group("management.busy_sources", (handlers) =>
  Effect.zipWith(BusySources, Conditional, (service, conditional) => {
    const sources = sourceHandling(service, conditional, below(byKey, doctorOf), "busy_source_uid")
    return handlers
      .handle("list", sources.list)
      .handle("create", sources.createRemote(service.create, BusySource))
      .handle("get", sources.read(service.get))
      .handle("update", sources.update(service.update, service.examine))
      .handle("remove", sources.remove(service.remove))
      .handle("refresh", ({ path }) =>
        inOrganisation((owner) => service.refresh(owner, path.doctor_uid, path.busy_source_uid))
      )
  })
).pipe(Layer.provide([BusySources.Default]))

export const DoctorBusySourcesHttp = group("doctor.busy_sources", (handlers) =>
  Effect.zipWith(BusySources, Conditional, (service, conditional) => {
    const sources = sourceHandling(service, conditional, byDoctor, "busy_source_uid")
    return handlers
      .handle("list", flow(sources.list, existing))
      .handle("create", flow(sources.createRemote(service.create, BusySource), existing))
      .handle("get", sources.read(service.get))
      .handle("update", sources.update(service.update, service.examine))
      .handle("remove", sources.remove(service.remove))
      .handle("refresh", ({ path }) =>
        asDoctor(({ organisation_uid, doctor_uid }) =>
          service.refresh(organisation_uid, doctor_uid, path.busy_source_uid)
        )
      )
  })
).pipe(Layer.provide([BusySources.Default]))
