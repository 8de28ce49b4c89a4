/**
 * The manifest of a capability: everything that the rest of the service must know of it. A capability is a folder below
 * src/capabilities. The core imports none of them and folds its own lists with these. docs/architecture.md.
 */
import type { HttpApi } from "@effect/platform"
import { Context, Effect, Layer, type Schema } from "effect"
import type { AddedPage } from "./http/console/serving/content.ts"
import type { AddedCards } from "./pages/console/added.ts"
import { addEventTypes, type EventDefinitions } from "./schemas/events/catalogue.ts"
import { addNotices, type Notices } from "./schemas/notifications/notices.ts"
import { addPatientRecords } from "./schemas/patients/addedRecords.ts"
import { addLists, type ListSchemas } from "./schemas/provisioning/ProvisioningFile.ts"
import { type Extension, Extensions, extension as extensionOf } from "./services/Extensions.ts"
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

/** What a capability declares without its services. */
export interface Declarations {
  /** As in CAPABILITIES. */
  readonly name: string
  /** Capabilities without which it does not start. */
  readonly needs: ReadonlyArray<string>
  /** Applied whether or not the capability is on: its tables stay. */
  readonly migrations: ReadonlyArray<Migration>
  /** Contract of its endpoints. */
  readonly api: HttpApi.HttpApi.Any | undefined
  readonly events: Partial<EventDefinitions>
  readonly notices: Partial<Notices>
  readonly noticeTexts: Partial<NoticeTexts>
  /** Schemas of its lists in the provisioning file. */
  readonly lists: ListSchemas
  /** Schemas of its records of patients, by the name of their table. */
  readonly patientRecords: Readonly<Record<string, Schema.Schema.AnyNoContext>>
  /** Pages of the practice in the console. */
  readonly pages: ReadonlyArray<AddedPage>
  /** Cards on other pages of the console. */
  readonly cards: AddedCards
}

/** A capability, with its own services already provided: `H` and `X` are the core's services that it needs. */
export interface Capability<H, X, E = never> extends Declarations {
  /** Handlers of `api`, and routes of pages. */
  readonly http: Layer.Layer<never, E, H>
  /** Adds what it does within the core's work to `Extensions`. */
  readonly extension: Layer.Layer<never, E, X>
}
// biome-ignore lint/suspicious/noExplicitAny: any services, which the compiler checks where the layers are composed
export type AnyCapability = Capability<any, any, any>

interface Manifest<S, E, R, H, X> extends Partial<Omit<Declarations, "name">>, Pick<Declarations, "name"> {
  /** Its services, for its handlers and its extension. */
  readonly services: Layer.Layer<S, E, R>
  readonly http?: Layer.Layer<never, E, H>
  readonly extension?: Effect.Effect<Extension, never, X>
}

/** A capability by its manifest; what it does not mention it does not have. */
export const capability = <S, E, R, H = never, X = never>({
  services,
  http = Layer.empty as Layer.Layer<never, E, H>,
  extension = Effect.succeed(extensionOf({})) as Effect.Effect<Extension, never, X>,
  ...declared
}: Manifest<S, E, R, H, X>): Capability<R | Exclude<H, S>, R | Exclude<X, S> | Extensions, E> => ({
  needs: [],
  migrations: [],
  api: undefined,
  events: {},
  notices: {},
  noticeTexts: {},
  lists: {},
  patientRecords: {},
  pages: [],
  cards: {},
  ...declared,
  http: Layer.provide(http, services),
  extension: Layer.effectDiscard(
    Effect.flatMap(Extensions, ({ add }) => Effect.flatMap(extension, (one) => add(declared.name, one)))
  ).pipe(Layer.provide(services))
})

/** The capabilities of this installation: all of its code's, and those that CAPABILITIES selects. */
export class Capabilities extends Context.Tag("Capabilities")<
  Capabilities,
  { readonly installed: ReadonlyArray<Declarations>; readonly on: ReadonlyArray<Declarations> }
>() {}

/** Adds what these declare to the lists of the schemas and texts. Called before anything is served. */
export const declare = (capabilities: ReadonlyArray<Declarations>) => {
  for (const { events, notices, noticeTexts, lists, patientRecords } of capabilities) {
    addEventTypes(events)
    addNotices(notices)
    addNoticeTexts(noticeTexts)
    addLists(lists)
    addPatientRecords(patientRecords)
  }
}
