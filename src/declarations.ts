/** What capabilities declare beside their services, for the core to fold its lists with. Their manifests: `capability.ts`. */
import type { FileSystem, HttpApi, HttpClient, Path, Terminal } from "@effect/platform"
import type { SqlClient } from "@effect/sql"
import { Context, type Duration, Effect, type Layer, type Schema, type Scope } from "effect"
import type { Settings, SettingsShape } from "./config.ts"
import type { AcceptedBody } from "./http/admission/bodyLimits.ts"
import type { PageContent } from "./http/hosted/serving/Respond.tsx"
import type { Visit } from "./http/hosted/serving/visit.ts"
import { organisationFields } from "./schemas/access/organisationFields.ts"
import type { AddedFields } from "./schemas/addedFields.ts"
import { addEventTypes, type EventDefinitions } from "./schemas/events/catalogue.ts"
import { addNotices, type Notices } from "./schemas/notifications/notices.ts"
import { addRetentionKinds, type RetentionKind } from "./schemas/patients/retentionKinds.ts"
import { typeFields } from "./schemas/scheduling/AppointmentType.ts"
import { appointmentFields } from "./schemas/scheduling/appointmentAnswers.ts"
import { addSessionModes, type SessionModes } from "./schemas/scheduling/Booking.ts"
import { addPublicHolidays, type PublicHolidays } from "./schemas/scheduling/Holiday.ts"
import type { Storefronts } from "./services/checkout/Storefront.ts"
import type { DomainClock } from "./services/DomainClock.ts"
import type { Database } from "./services/database/Database.ts"
import type { DatabaseSessions } from "./services/database/DatabaseSessions.ts"
import type { AnotherTopology, Topology } from "./services/database/Topology.ts"
import type { Extensions } from "./services/Extensions.ts"
import type { EventLog } from "./services/events/EventLog.ts"
import type { WebhookSender } from "./services/events/WebhookSender.ts"
import type { RetentionRule } from "./services/operation/addedRetention.ts"
import type { Payments } from "./services/pharmacy/Payments.ts"
import type { PrescriptionProgress } from "./services/pharmacy/PrescriptionProgress.ts"
import type { FileStore } from "./services/prescriptions/FileStore.ts"
import type { Jobs } from "./services/queue/Jobs.ts"
import { addQueues, type Queues } from "./services/queue/queues.ts"
import type { Envelope } from "./services/sealing/Envelope.ts"
import type { KeyService, KeyWrapping } from "./services/sealing/KeyWrapping.ts"
import type { SecretBox } from "./services/sealing/SecretBox.ts"
import type { Owners } from "./services/tenancy/Owners.ts"
import type { CurrentTenant } from "./services/tenancy/Tenancy.ts"
import { type AddedLanguages, addLanguages } from "./texts/catalogue.ts"
import { addNoticeTexts, type NoticeTexts } from "./texts/notices.ts"

/** A step of the database's schema. */
export interface Migration {
  /** `<capability>/0001`; the core's are named like their files. */
  readonly name: string
  /**
   * SQL. It runs in one transaction, unless its first line is `-- transaction: none`: then its statements run outside of one
   * (CREATE INDEX CONCURRENTLY). Such a migration may fail half-way, so it must be idempotent.
   */
  readonly text: string
}

/** Schemas of what a command is given, by name. */
// biome-ignore lint/suspicious/noExplicitAny: any values, which `addedCommand` gives their types
type Given = Readonly<Record<string, Schema.Schema<any, any>>>
interface GivenOption {
  readonly description: string
  readonly schema: Given[string]
  /** Undefined where it is not given. Default: required. */
  readonly isOptional?: true
  /** True or false instead of a text. Default: no. */
  readonly isFlag?: true
  /** Given any number of times, also none. Default: once. */
  readonly isRepeated?: true
}
export type GivenOptions = Readonly<Record<string, GivenOption>>

type OfCommand =
  | DomainClock
  | Envelope
  | EventLog
  | Extensions
  | FileStore
  | Jobs
  | KeyWrapping
  | SqlClient.SqlClient
  | Terminal.Terminal
  | Database
  | SecretBox
  | FileSystem.FileSystem
  | DatabaseSessions
  | Capabilities
  | Owners
  | Payments
  | Path.Path
  | PrescriptionProgress
  | CurrentTenant
  | Settings
  | Storefronts
  | Topology
  | WebhookSender

type OfOffline = Capabilities | Settings | FileSystem.FileSystem | Path.Path

/** A command of the operator's command line. */
export interface AddedCommand {
  /** The group of commands that it is added to. Default: none. */
  readonly group: "import" | "organisations" | "patients" | undefined
  readonly name: string
  readonly description: string
  readonly args: Given
  readonly options: GivenOptions
  /** Its own commands, instead of `run`. */
  readonly below: ReadonlyArray<AddedCommand>
  /** The text that it returns is printed. */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  readonly run: (given: any) => Effect.Effect<unknown, unknown, OfCommand>
  /** Instead of `run`, where it returns anything: without the database. */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  readonly offline: (given: any) => Effect.Effect<unknown, unknown, OfOffline> | undefined
}

type Values<A extends Given, O extends GivenOptions> = { readonly [K in keyof A]: Schema.Schema.Type<A[K]> } & {
  readonly [K in keyof O]: O[K] extends { readonly isRepeated: true }
    ? ReadonlyArray<Schema.Schema.Type<O[K]["schema"]>>
    : Schema.Schema.Type<O[K]["schema"]> | (O[K] extends { readonly isOptional: true } ? undefined : never)
}

/** A command whose `run` or `offline` is given decoded values. */
// biome-ignore lint/complexity/noBannedTypes: without arguments
export const addedCommand = <A extends Given = {}, O extends GivenOptions = {}>(
  command: Pick<AddedCommand, "name" | "description"> & {
    readonly group?: AddedCommand["group"]
    readonly args?: A
    readonly options?: O
    readonly run?: (given: Values<A, O>) => ReturnType<AddedCommand["run"]>
    readonly offline?: (given: Values<A, O>) => Effect.Effect<unknown, unknown, OfOffline> | undefined
  }
): AddedCommand => ({
  group: undefined,
  args: {},
  options: {},
  below: [],
  run: () => Effect.void,
  offline: () => undefined,
  ...command
})

/** A command that has others below it. */
export const commandGroup = (group: Pick<AddedCommand, "name" | "description" | "below">): AddedCommand => ({
  ...addedCommand({ ...group, run: () => Effect.void }),
  ...group
})

/** A database function with which a job finds the owners that have due work, across tenants. `layers/jobFunctions.ts` makes it. */
export interface JobFunction {
  /** With its parameters and their types. */
  readonly name: string
  readonly returns: string
  /** Statements of PL/pgSQL. */
  readonly body: string
}

/** API keys by their text, and the `key_id` of a booking-token secret. */
export interface PublicCredentials {
  readonly apiKeys: ReadonlyArray<string>
  readonly bookingKeyId: string
}

type Located = (at: { readonly folder: string }) => Effect.Effect<string, Error, Scope.Scope>

/** A database in a folder of this machine, where DATABASE_URL is not set. Both return its URL. */
export interface OwnDatabase {
  /** For the server, which owns it. */
  readonly owned: Located
  /** For short commands, which may run beside a server. */
  readonly shared: Located
}

/** Where traces and metrics go. */
export interface ExportOptions {
  /** Base URL of an OTLP/HTTP collector. */
  readonly endpoint: string
  readonly protocol: "http/protobuf" | "http/json"
  readonly headers: Readonly<Record<string, string>>
  readonly serviceName: string
  /** Further attributes of the process in the resource. */
  readonly resourceAttributes: Readonly<Record<string, string>>
  readonly metricsInterval: Duration.DurationInput
  readonly tracesInterval: Duration.DurationInput
  /** Time-out of a request to the collector, after which its batch is dropped. */
  readonly timeoutSeconds: number
}

/** What capabilities declare for one another, by name: `declare module`. */
// biome-ignore lint/suspicious/noEmptyInterface: capabilities add to it
export interface AddedParts {}

/** What a capability declares without its services. */
export interface Declarations extends Partial<AddedParts> {
  /** Adds what those that are on declare for it to lists of its own. Called before anything is served. */
  readonly declares: (on: ReadonlyArray<Declarations>) => void
  /** As in CAPABILITIES. */
  readonly name: string
  /** Whether CAPABILITIES selects it; a part that is no choice of an installation is on wherever its folder is, and named nowhere. */
  readonly switched: boolean
  /** Capabilities without which it does not start. */
  readonly needs: ReadonlyArray<string>
  /** The setting in use that needs it: the service does not start with it while the capability is off; null: none. */
  readonly setting: (settings: SettingsShape) => string | null
  /** Applied whether or not the capability is on: its tables stay. */
  readonly migrations: ReadonlyArray<Migration>
  /** Contract of its endpoints. */
  readonly api: HttpApi.HttpApi.Any | undefined
  readonly events: Partial<EventDefinitions>
  readonly notices: Partial<Notices>
  readonly noticeTexts: Partial<NoticeTexts>
  /** Languages that it adds to those of pages and messages, with the core's texts. */
  readonly languages: AddedLanguages
  /** Fields that it adds to appointment types, by name; what they refer to it checks in `Extension.typeFields`. */
  readonly typeFields: AddedFields
  /** The same of organisations; `Extension.organisationFields`. */
  readonly organisationFields: AddedFields
  /** The same of appointments as their doctors and practices read them; their values are given by `Extension.ofAppointments`. */
  readonly appointmentFields: AddedFields
  /** Modes of booking sessions in which no time is booked. */
  readonly sessionModes: SessionModes
  /**
   * Tables with sealed records of patients, in `patientRecords` or not, whose rows an erasure leaves to `retention`, and keep the
   * patient's row, also while the capability is off. It shows none of an erased patient.
   */
  readonly keptRecords: ReadonlyArray<string>
  /** Operations, or groups of them that end with a full stop, that are part of a reception's work. */
  readonly deskOperations: ReadonlyArray<string>
  /** Routes of its pages below MEETINGS_URL whose code is the credential: `/thing/:code`. */
  readonly codePages: ReadonlyArray<string>
  /**
   * Routes outside of `api` whose handlers verify a credential and record reads of health data themselves, by the beginning of their paths,
   * with the bodies that they take.
   */
  readonly credentialRoutes: Readonly<Record<string, AcceptedBody>>
  /** Bodies that its other routes take, by the beginning of method and path (of pages: below MEETINGS_URL); by default a form of 64 KiB. */
  readonly bodies: Readonly<Record<string, AcceptedBody>>
  /** Pages below BASE_URL that the start-up message names, by their titles. */
  readonly startPages: Readonly<Record<string, string>>
  /** Further lines of the start-up message. */
  readonly startLines: (settings: SettingsShape) => ReadonlyArray<string>
  /**
   * Its tables by the column of their owner, by which several nodes share them; `copied`: every node has all rows, since they are read
   * before the organisation is known.
   */
  readonly tables: Readonly<Record<string, "organisation_uid" | "pharmacy_uid" | "owner_uid" | "copied">>
  /** A database of another topology, which it serves. */
  readonly topology: AnotherTopology | undefined
  /** Credentials for trying out that everybody knows: no service outside of development starts with them. */
  readonly publicCredentials: PublicCredentials | undefined
  readonly database: OwnDatabase | undefined
  /** The payment provider that the settings select; undefined: none of its own. */
  readonly payments: (settings: SettingsShape) => Layer.Layer<Payments> | undefined
  /** The service that wraps data keys, which the settings select; undefined: none of its own. */
  readonly keyService: (settings: SettingsShape) => Effect.Effect<KeyService, never, HttpClient.HttpClient> | undefined
  /** The store of FILE_STORE, of another kind than a folder; undefined: none of its own. */
  readonly files: (settings: SettingsShape) => Layer.Layer<FileStore> | undefined
  readonly exporter: ((options: ExportOptions) => Layer.Layer<never>) | undefined
  readonly commands: ReadonlyArray<AddedCommand>
  /** How long rows of its tables are kept, also while it is off. */
  readonly retention: ReadonlyArray<RetentionRule>
  /** Kinds of its rows whose period an organisation sets, by name. */
  readonly retentionKinds: Readonly<Record<string, RetentionKind>>
  readonly jobFunctions: () => ReadonlyArray<JobFunction>
  readonly queues: Partial<Queues>
  readonly publicHolidays: PublicHolidays | undefined
  /** The page at the root of the service, instead of a word of welcome. */
  readonly rootPage: ((visit: Visit, baseUrl: string) => PageContent) | undefined
  /** Beginnings of the paths of its pages without a code: below MEETINGS_URL, or at BASE_URL. */
  readonly openPages: ReadonlyArray<`/${string}`>
}

/** What holds of a capability while it is off, too: it is known before its modules are evaluated. */
export type Held = Pick<
  Declarations,
  | "name"
  | "switched"
  | "needs"
  | "setting"
  | "migrations"
  | "retention"
  | "keptRecords"
  | "topology"
  | "publicCredentials"
>

/** A capability that the code has. Its manifest is evaluated when it is on. */
export interface Installed<C = Declarations> extends Held {
  readonly manifest: () => C
}

/** The capabilities of this installation: all of its code's, and those that CAPABILITIES selects. */
export class Capabilities extends Context.Tag("Capabilities")<
  Capabilities,
  { readonly installed: ReadonlyArray<Installed>; readonly on: ReadonlyArray<Declarations> }
>() {}

/** Adds what these declare to the lists of the schemas and texts. Called before anything is served. */
export const declare = (capabilities: ReadonlyArray<Declarations>) => {
  for (const one of capabilities) {
    const { events, notices, noticeTexts, queues, publicHolidays } = one
    addEventTypes(events)
    addNotices(notices)
    addNoticeTexts(noticeTexts)
    addLanguages(one.languages)
    typeFields.add(one.typeFields)
    organisationFields.add(one.organisationFields)
    appointmentFields.add(one.appointmentFields)
    addRetentionKinds(one.retentionKinds)
    addSessionModes(one.sessionModes)
    addQueues(queues)
    if (publicHolidays !== undefined) addPublicHolidays(publicHolidays)
    one.declares(capabilities)
  }
}

/** The body that a route of `credentialRoutes` takes; undefined for other routes. */
export const credentialRoutesOf = (on: ReadonlyArray<Declarations>) => {
  const routes = on.flatMap(({ credentialRoutes }) => Object.entries(credentialRoutes))
  return (path: string) => routes.find(([beginning]) => path.startsWith(beginning))?.[1]
}

/** The body that a route of `credentialRoutes` or `bodies` takes; undefined for other routes. `pages` is the path of MEETINGS_URL. */
export const bodiesOf = (on: ReadonlyArray<Declarations>, pages = "") => {
  const ofCredentialRoutes = credentialRoutesOf(on)
  const others = on.flatMap(({ bodies }) => Object.entries(bodies))
  return (method: string, path: string) => {
    const below = path.startsWith(`${pages}/`) ? path.slice(pages.length) : path
    return (
      ofCredentialRoutes(path) ??
      others.find(([at]) => [path, below].some((one) => `${method} ${one}`.startsWith(at)))?.[1]
    )
  }
}
