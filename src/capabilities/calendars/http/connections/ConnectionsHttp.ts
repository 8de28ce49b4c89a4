import { HttpServerResponse } from "@effect/platform"
import { Effect, flow, Layer, Option, Schema } from "effect"
import { addUnversioned, Conditional } from "../../../../http/conditional.ts"
import { asDoctor, existing } from "../../../../http/doctor/asDoctor.ts"
import { groupOf } from "../../../../http/group.ts"
import { seeOther } from "../../../../http/hosted/serving/pageHandler.ts"
import { inData } from "../../../../http/inData.ts"
import { Routes } from "../../../../http/inRequest.ts"
import { doctorOf } from "../../../../http/management/practice/kinds.ts"
import { reply } from "../../../../http/problems.ts"
import { below, byDoctor, byKey, wholeRecords } from "../../../../http/records.ts"
import type { DoctorUid, OrganisationUid } from "../../../../schemas/ids.ts"
import { ListQuery } from "../../../../schemas/paging.ts"
import { Extensions } from "../../../../services/Extensions.ts"
import { enter } from "../../../../services/tenancy/Tenancy.ts"
import { queryOf, segment } from "../../../shared/http/query.ts"
import { CalendarConnection, grantingProviders } from "../../schemas/connections/CalendarConnection.ts"
import { CalendarEntries } from "../../services/connections/CalendarEntries.ts"
import { CalendarSync } from "../../services/connections/CalendarSync.ts"
import { Connections } from "../../services/connections/Connections.ts"
import { CalendarsApi } from "../BusySourcesApi.ts"

const group = groupOf(CalendarsApi)

/** What a contact changes is not of the version; an attempt has its uid alone. */
const contacts = ["status", "last_error", "last_read_at", "last_write_at", "updated_at"] as const
addUnversioned("calendar-connections", contacts)
const Version = Schema.Union(CalendarConnection.omit(...contacts), CalendarConnection.pick("uid"))
const handling = wholeRecords(CalendarConnection, ListQuery, Version)

const Practice = group("management.calendar_connections", (handlers) =>
  Effect.zipWith(Connections, Conditional, (service, conditional) => {
    const records = handling(service, conditional, below(byKey, doctorOf), "connection_uid")
    return handlers.handle("list", records.list).handle("get", records.read(service.get))
  })
)

const Doctor = group("doctor.calendar_connections", (handlers) =>
  Effect.gen(function* () {
    const service = yield* Connections
    const conditional = yield* Conditional
    const { differing } = yield* CalendarEntries
    const records = handling(service, conditional, byDoctor, "connection_uid")
    return handlers
      .handle("list", flow(records.list, existing))
      .handle("create", flow(records.create(service.create), existing))
      .handle("get", records.read(service.get))
      .handle("update", records.update(service.update))
      .handle("remove", records.remove(service.remove))
      .handle("providers", () => inData(Effect.succeed(service.offered)))
      .handle("entries", () =>
        inData(asDoctor(({ organisation_uid, doctor_uid }) => differing(organisation_uid, doctor_uid)))
      )
      .handle("restore", ({ path }) =>
        asDoctor(({ organisation_uid, doctor_uid }) =>
          service.restore(organisation_uid, doctor_uid, path.appointment_uid)
        )
      )
  })
)

/** Providers push here; Microsoft asks for a token back before it does. */
const Pushed = Routes.use((router) =>
  Effect.gen(function* () {
    const { pushed } = yield* CalendarSync
    const accept = Effect.gen(function* () {
      const token = (yield* queryOf).get("validationToken")
      if (token !== null) return HttpServerResponse.text(token.slice(0, 1_024))
      return yield* pushed(yield* segment("code")).pipe(
        Effect.as(HttpServerResponse.empty({ status: 202 })),
        Effect.catchTag("CalendarConnectionNotFound", () => reply(404, "unknown_route", "No such connection"))
      )
    })
    for (const provider of grantingProviders) yield* router.post(`/connect/calendar/${provider}/:code`, accept)
  })
)

const doctorsPage = (connected: string) =>
  seeOther(`/console/doctor/calendars?${new URLSearchParams({ connected })}#connections`)

/** The doctor's browser, to the provider's page and back: only a session of that doctor finishes the attempt. */
const Granted = Routes.use((router) =>
  Effect.gen(function* () {
    const { create, finish } = yield* Connections
    const extensions = yield* Extensions
    const asSignedIn = <E, R>(
      use: (owner: OrganisationUid, doctor: DoctorUid) => Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>
    ) =>
      Effect.gen(function* () {
        const found = yield* Effect.flatMap(extensions.having("signedInDoctor"), (some) =>
          Effect.forEach(some, (one) => one.signedInDoctor ?? Effect.succeed(undefined))
        )
        const { organisation_uid = null, doctor_uid = null, actor } = found.find((one) => one !== undefined) ?? {}
        if (organisation_uid === null || doctor_uid === null || actor === undefined) return seeOther("/console/sign-in")
        yield* enter({ organisation_uid, actor })
        return yield* use(organisation_uid, doctor_uid)
      })
    for (const provider of grantingProviders) {
      yield* router.get(
        `/connect/calendar/${provider}`,
        asSignedIn((owner, doctor) =>
          create(owner, doctor, { provider }).pipe(
            Effect.map((made) => ("authorize_url" in made ? seeOther(made.authorize_url) : doctorsPage(made.uid))),
            Effect.catchTags({
              Invalid: () => Effect.succeed(doctorsPage("false")),
              DoctorNotFound: () => Effect.succeed(seeOther("/console/sign-in"))
            })
          )
        )
      )
      yield* router.get(
        `/connect/calendar/${provider}/callback`,
        asSignedIn((owner, doctor) =>
          Effect.gen(function* () {
            const query = yield* queryOf
            const answer = { state: query.get("state") ?? "", code: query.get("code") ?? "" }
            const done = yield* finish(owner, doctor, provider, answer)
            return doctorsPage(Option.match(done, { onNone: () => "false", onSome: ({ uid }) => uid }))
          })
        )
      )
    }
  })
)

export const ConnectionsHttp = Layer.mergeAll(Practice, Doctor, Pushed, Granted)
