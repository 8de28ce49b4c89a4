/** The HTTP server: API, pages and health routes on one port. */
import {
  Etag,
  FileSystem,
  HttpApi,
  HttpApiBuilder,
  HttpMiddleware,
  HttpPlatform,
  HttpRouter,
  HttpServer,
  Path
} from "@effect/platform"
import { Effect, Layer } from "effect"
import type { AnyCapability } from "../../capability.ts"
import { Settings } from "../../config.ts"
import { Capabilities } from "../../declarations.ts"
import { AuditLog } from "../../services/audit/AuditLog.ts"
import { mergedLayers } from "../../services/mergedLayers.ts"
import { Traffic } from "../../services/operation/Traffic.ts"
import { Pharmacies } from "../../services/pharmacy/Pharmacies.ts"
import type { Api } from "../Api.ts"
import { AdminSchedulingHttp } from "../admin/AdminSchedulingHttp.ts"
import { LegacySecretsHttp, SecretsHttp } from "../admin/SecretsHttp.ts"
import { MIB } from "../admission/bodyLimits.ts"
import { builtWith } from "../builtWith.ts"
import { CheckoutHttp } from "../checkout/CheckoutHttp.ts"
import { CredentialsLive } from "../credentials/CredentialsLive.ts"
import { DoctorHttp } from "../doctor/DoctorHttp.ts"
import { KeyedRequests } from "../group.ts"
import { HostedHttp } from "../hosted/HostedHttp.ts"
import { UnknownRoutePageHttp } from "../hosted/UnknownRoutePageHttp.ts"
import { Routes } from "../inRequest.ts"
import { AppointmentActionsHttp } from "../management/AppointmentActionsHttp.ts"
import { AppointmentsHttp } from "../management/AppointmentsHttp.ts"
import { NotificationSubscriptionsHttp } from "../management/NotificationSubscriptionsHttp.ts"
import { AppointmentTypesHttp } from "../management/practice/AppointmentTypesHttp.ts"
import { AvailabilityRulesHttp } from "../management/practice/AvailabilityRulesHttp.ts"
import { DateOverridesHttp } from "../management/practice/DateOverridesHttp.ts"
import { RemindersHttp } from "../management/practice/RemindersHttp.ts"
import { ProblemsMiddleware } from "../ProblemsMiddleware.ts"
import { ActionLinksHttp } from "../patient/ActionLinksHttp.ts"
import { BookingHttp } from "../patient/BookingHttp.ts"
import { PatientAppointmentsHttp } from "../patient/PatientAppointmentsHttp.ts"
import { PharmacyOrdersHttp } from "../pharmacy/PharmacyOrdersHttp.ts"
import { PharmacySkusHttp } from "../pharmacy/PharmacySkusHttp.ts"
import { PharmacyWebhooksHttp } from "../pharmacy/PharmacyWebhooksHttp.ts"
import { FilesHttp } from "../prescriptions/FilesHttp.ts"
import { PrescriptionsHttp } from "../prescriptions/PrescriptionsHttp.ts"
import { routedRequests } from "../routedRequests.ts"
import { ServedApi, servedApi } from "../ServedApi.ts"
import { MetricsServer } from "../system/MetricsServer.ts"
import { HealthHttp } from "../system/SystemHttp.ts"
import { Drained, Unavailable } from "./drain.ts"
import { limitedServer } from "./limitedSockets.ts"
import { observed } from "./observe.ts"

const IDLE_SECONDS = 120
/** Bun's own limit, far above any route's: routes reject larger bodies themselves, with an error body. */
const LARGEST_BODY = 128 * MIB

const Groups = Layer.mergeAll(
  NotificationSubscriptionsHttp,
  AppointmentsHttp,
  AppointmentActionsHttp,
  AppointmentTypesHttp,
  RemindersHttp,
  AvailabilityRulesHttp,
  DateOverridesHttp,
  BookingHttp,
  PatientAppointmentsHttp,
  ActionLinksHttp,
  DoctorHttp,
  AdminSchedulingHttp,
  SecretsHttp,
  LegacySecretsHttp,
  PharmacyWebhooksHttp,
  PharmacySkusHttp,
  PharmacyOrdersHttp,
  PrescriptionsHttp,
  CheckoutHttp,
  FilesHttp
).pipe(Layer.provide([CredentialsLive, Pharmacies.Default, KeyedRequests]))

/** The annotation makes a group of `Api` that has no handlers in `Groups` a compile error. */
const CoreHttp: Layer.Layer<
  HttpApi.Api,
  Layer.Layer.Error<typeof Groups>,
  Layer.Layer.Context<typeof Groups> | ServedApi
> = Layer.provide(
  // The cast: the core's groups and those of capabilities, which have their handlers with them
  Layer.unwrapEffect(Effect.map(ServedApi, (api) => HttpApiBuilder.api(api as typeof Api))),
  Groups
)

const ServedApiLive = Layer.effect(
  ServedApi,
  Effect.map(Capabilities, ({ on }) => servedApi(on))
)

const listen = Layer.unwrapEffect(
  Effect.map(Settings, ({ host, port }) =>
    limitedServer({ hostname: host, port, maxRequestBodySize: LARGEST_BODY, idleTimeout: IDLE_SECONDS })
  )
)

/** Paths match exactly, except for a trailing slash. Parameters may be long: uids and file paths. */
const strictPaths = HttpRouter.setRouterConfig({
  caseSensitive: true,
  ignoreDuplicateSlashes: false,
  maxParamLength: 4096
})

const CommonToRoutes = Layer.effect(Routes, routedRequests).pipe(
  Layer.provide([HttpApiBuilder.Router.Live, AuditLog.Default])
)

/** A worker serves only health routes and metrics. */
const WorkerApi = HttpApiBuilder.api(HttpApi.make("sprechstunde-worker"))

const CoreRoutes = Layer.merge(HealthHttp, HostedHttp)

/** The routes of the core and of these capabilities. */
const allRoutes = <C extends AnyCapability>(on: ReadonlyArray<C>) =>
  Layer.merge(
    CoreRoutes,
    Layer.provide(mergedLayers<C["http"]>(on.map(({ http }) => http)), [CredentialsLive, KeyedRequests])
  ).pipe(Layer.provideMerge(Layer.mergeAll(CoreHttp, Layer.provide(ProblemsMiddleware, UnknownRoutePageHttp))))
const HealthOnly = Layer.provideMerge(HealthHttp, Layer.mergeAll(WorkerApi, ProblemsMiddleware))

/** Serves the core and the capabilities that are on. */
export const serverOf = <C extends AnyCapability, E, R>(selected: Effect.Effect<ReadonlyArray<C>, E, R>) =>
  Layer.unwrapEffect(
    Effect.map(Effect.all([Settings, Traffic, selected]), ([{ role, otel }, { state }, on]) => {
      const serve = Layer.unwrapEffect(
        Effect.map(HttpApiBuilder.httpApp, (app) => HttpServer.serve(app, observed(state, otel.tracesRatio)))
      ).pipe(
        builtWith([
          HttpServer.HttpServer,
          HttpApiBuilder.Router,
          HttpApi.Api,
          HttpApiBuilder.Middleware,
          HttpPlatform.HttpPlatform,
          Etag.Generator,
          FileSystem.FileSystem,
          Path.Path
        ]),
        Layer.provide([CommonToRoutes, HttpApiBuilder.Middleware.layer]),
        HttpMiddleware.withTracerDisabledWhen(() => true)
      )
      const routes = role === "worker" ? Layer.provide(serve, HealthOnly) : Layer.provide(serve, allRoutes(on))
      return Drained.pipe(
        Layer.provide(routes),
        Layer.provide(Unavailable),
        Layer.provide(strictPaths),
        Layer.provide(listen),
        Layer.merge(MetricsServer)
      )
    })
  ).pipe(Layer.provide([Traffic.Default, ServedApiLive]))
