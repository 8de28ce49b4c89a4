/**
 * Assembles the service: provides the adapters that the settings select. Endpoint groups, workers and commands provide their
 * own services. Tests build the same layers with other settings.
 */
import { FetchHttpClient } from "@effect/platform"
import { BunContext } from "@effect/platform-bun"
import { Effect, Layer } from "effect"
import type { AnyInstalled, ManifestOf } from "../capability.ts"
import { Settings } from "../config.ts"
import { Capabilities } from "../declarations.ts"
import { Conditional } from "../http/conditional.ts"
import { serverOf } from "../http/server/Server.ts"
import { Ticking } from "../jobs/Ticks.ts"
import { Workers } from "../jobs/Workers.ts"
import { Identity } from "../services/access/Identity.ts"
import { ConfiguredAddresses } from "../services/addresses.ts"
import { type Extension, Extensions, ExtensionsLive } from "../services/Extensions.ts"
import { EventLog } from "../services/events/EventLog.ts"
import { WebhookSender } from "../services/events/WebhookSender.ts"
import { Idempotency } from "../services/Idempotency.ts"
import { mergedLayers } from "../services/mergedLayers.ts"
import { Mailer } from "../services/notifications/Mailer.ts"
import { SmsGateway } from "../services/notifications/SmsGateway.ts"
import { outgoingSecondsMax } from "../services/outgoing.ts"
import { Payments } from "../services/pharmacy/Payments.ts"
import { FileStore } from "../services/prescriptions/FileStore.ts"
import { Jobs } from "../services/queue/Jobs.ts"
import { remote } from "../services/remoteCalls.ts"
import { Envelope } from "../services/sealing/Envelope.ts"
import { withoutOwner } from "../services/tenancy/Tenancy.ts"
import { BannerLive } from "./Banner.ts"
import { BossLive } from "./Boss.ts"
import { CapabilitiesLive, selected } from "./Capabilities.ts"
import { CommonLive } from "./Common.ts"
import { DatabaseLive } from "./Database.ts"
import { DatabaseSessionsLive } from "./DatabaseSessions.ts"
import { EventConsumersLive } from "./EventConsumers.ts"
import { FilesLive } from "./files/Files.ts"
import { IdentityLive } from "./identity/Identity.ts"
import { KeyWrappingLive } from "./keys/KeyWrappingLive.ts"
import { LoginChecked } from "./LoginChecked.ts"
import { BucketsLive } from "./limits/BucketsLive.ts"
import { MasterKeyVerified, SecretBoxLive } from "./MasterKey.ts"
import { MigratedLive } from "./Migrate.ts"
import { MailerLive } from "./mail/MailerLive.ts"
import { MailTemplateLive } from "./mail/MailTemplateLive.tsx"
import { NoticeSourceLive } from "./notifications/NoticeSourceLive.ts"
import { AppointmentSourceLive } from "./notifications/Notifications.ts"
import { SentCopiesLive } from "./notifications/SentCopiesLive.ts"
import { ConfiguredAddressesLive } from "./outgoing/ConfiguredAddressesLive.ts"
import { PortsFree } from "./PortsFree.ts"
import { ProductionChecked } from "./Production.ts"
import { PaymentsLive } from "./payments/Payments.ts"
import { CarriedPrescriptionsLive } from "./prescriptions/CarriedPrescriptions.ts"
import { ReadinessLive } from "./Readiness.ts"
import { SqlLive } from "./Sql.ts"
import { SmsGatewayLive } from "./sms/SmsGatewayLive.ts"
import { StorefrontsLive } from "./storefront/Storefronts.ts"
import { TelemetryLive } from "./Telemetry.ts"
import { OutagesSummarised } from "./telemetry/Outages.ts"
import { WebhookSenderLive } from "./webhooks/WebhookSenderLive.ts"

/** Clients of external services. Calling one within a transaction is a defect. */
const Remote = Layer.mergeAll(
  remote(Identity, IdentityLive),
  remote(Payments, PaymentsLive),
  remote(FileStore, FilesLive),
  remote(WebhookSender, WebhookSenderLive),
  remote(ConfiguredAddresses, ConfiguredAddressesLive),
  remote(Mailer, MailerLive),
  remote(SmsGateway, SmsGatewayLive)
)

/**
 * Adapters of the ports that services need, selected by the settings; and what services and handlers of all domains use beside `CommonLive`:
 * jobs, sealing, events, stored answers and conditional requests.
 */
const Ports = Layer.mergeAll(CarriedPrescriptionsLive, StorefrontsLive).pipe(
  Layer.provideMerge(
    Layer.mergeAll(NoticeSourceLive, AppointmentSourceLive).pipe(
      Layer.provideMerge(EventLog.Default),
      Layer.provideMerge(EventConsumersLive)
    )
  ),
  Layer.provideMerge(Layer.mergeAll(Jobs.Default, Envelope.Default, Idempotency.Default, Conditional.Default)),
  Layer.provideMerge(
    Layer.mergeAll(
      SecretBoxLive,
      Layer.provide(Layer.mergeAll(ReadinessLive, KeyWrappingLive), SecretBoxLive),
      Remote,
      BossLive,
      DatabaseSessionsLive,
      BucketsLive,
      MailTemplateLive,
      SentCopiesLive
    )
  )
)

/** Builds the services of the capabilities that are on, and what they do within the core's work. */
const extended = <I extends AnyInstalled>(installed: ReadonlyArray<I>) =>
  Layer.unwrapEffect(
    Effect.map(
      selected(installed),
      (
        on
      ): Layer.Layer<
        never,
        Layer.Layer.Error<ManifestOf<I>["extension"]>,
        Layer.Layer.Context<ManifestOf<I>["extension"]>
      > => mergedLayers(on.map(({ extension }) => extension))
    )
  )

const Completed = Layer.effectDiscard(
  Effect.flatMap(Effect.all([Extensions, Capabilities]), ([{ complete }, { on }]) =>
    complete(on.map(({ name }) => name))
  )
)

const ofEach = <E, R>(name: keyof Extension, part: (one: Extension) => Effect.Effect<unknown, E, R>) =>
  Effect.flatMap(Extensions, ({ having }) =>
    Effect.flatMap(having(name), (some) => Effect.forEach(some, (one) => withoutOwner(part(one)), { discard: true }))
  )

const ExtensionsStarted = Layer.effectDiscard(ofEach("onStart", ({ onStart }) => onStart))
const ExtensionsServing = Layer.scopedDiscard(ofEach("whileServing", ({ whileServing }) => whileServing))

/** OUTGOING_TIMEOUT_SECONDS for all calls to other systems. */
const OutgoingLimited = Layer.scopedDiscard(
  Effect.flatMap(Settings, ({ outgoingTimeoutSeconds }) =>
    Effect.locallyScoped(outgoingSecondsMax, outgoingTimeoutSeconds ?? Number.POSITIVE_INFINITY)
  )
)

/**
 * Ports, the migrated database and the platform, for the server, workers and commands, with these capabilities. `database` decides whether
 * the process owns the embedded database, `telemetry` where logs and traces go.
 */
export const foundation = <I extends AnyInstalled>(
  installed: ReadonlyArray<I>,
  database: typeof DatabaseLive,
  telemetry: typeof TelemetryLive
) =>
  Completed.pipe(
    Layer.provideMerge(extended(installed)),
    Layer.provideMerge(Ports),
    Layer.provideMerge(Layer.provide(MasterKeyVerified, SecretBoxLive)),
    Layer.provideMerge(CommonLive),
    Layer.provideMerge(Layer.provide(MigratedLive, DatabaseSessionsLive)),
    Layer.provideMerge(SqlLive),
    Layer.provideMerge(OutagesSummarised),
    Layer.provideMerge(database),
    Layer.provideMerge(Layer.mergeAll(BunContext.layer, FetchHttpClient.layer)),
    Layer.provideMerge(telemetry),
    Layer.provideMerge(OutgoingLimited),
    Layer.provideMerge(Layer.mergeAll(CapabilitiesLive(installed), ExtensionsLive))
  )

/** Jobs run in every process except with ROLE=http. */
const Working = Layer.unwrapEffect(
  Effect.map(Settings, ({ role }) => (role === "http" ? Layer.empty : Layer.merge(Workers, Ticking)))
)

/** The service with these capabilities. Requires only `Settings`. */
export const appOf = <I extends AnyInstalled>(installed: ReadonlyArray<I>) => {
  const Service = ExtensionsServing.pipe(
    Layer.provideMerge(BannerLive),
    Layer.provideMerge(Layer.mergeAll(serverOf(selected(installed)), Working)),
    Layer.provideMerge(ProductionChecked),
    Layer.provideMerge(ExtensionsStarted),
    Layer.provideMerge(LoginChecked),
    Layer.provideMerge(foundation(installed, DatabaseLive, TelemetryLive))
  )
  // after a check that its ports are free
  return Layer.flatMap(PortsFree, () => Service)
}
