/**
 * The manifest of a capability: everything that the rest of the service must know of it. A capability is a folder below
 * src/capabilities. The core imports none of them and folds its own lists with these. docs/architecture.md.
 */
import { Effect, Layer } from "effect"
import type { Declarations, Held, Installed } from "./declarations.ts"
import { type Extension, Extensions, extension as extensionOf } from "./services/Extensions.ts"
import { provide } from "./services/Service.ts"

/** A capability, with its own services already provided: `H` and `X` are the core's services that it needs. */
export interface Capability<H, X, E = never> extends Declarations, Installed<Capability<H, X, E>> {
  /** Handlers of `api`, and routes of pages. */
  readonly http: Layer.Layer<never, E, H>
  /** Adds what it does within the core's work to `Extensions`. */
  readonly extension: Layer.Layer<never, E, X>
}
// biome-ignore lint/suspicious/noExplicitAny: any services, which the compiler checks where the layers are composed
export type AnyCapability = Capability<any, any, any>
export type AnyInstalled = Installed<AnyCapability>
export type ManifestOf<I extends AnyInstalled> = ReturnType<I["manifest"]>

/** What holds by default while a capability is off. */
const held: Omit<Held, "name"> = {
  switched: true,
  needs: [],
  setting: () => null,
  migrations: [],
  retention: [],
  keptRecords: [],
  topology: undefined,
  publicCredentials: undefined
}

/** A capability whose modules are evaluated where it is on, by its manifest. */
export const installed = <C extends AnyCapability>(
  known: Partial<Held> & Pick<Installed<C>, "name" | "manifest">
): Installed<C> => ({ ...held, ...known })

interface Manifest<S, E, R, H, X> extends Partial<Omit<Declarations, "name">>, Pick<Declarations, "name"> {
  /** Its services, for its handlers and its extension. */
  readonly services?: Layer.Layer<S, E, R>
  readonly http?: Layer.Layer<never, E, H>
  readonly extension?: Effect.Effect<Extension, never, X>
}

/** A capability by its manifest; what it does not mention it does not have. */
export const capability = <S = never, E = never, R = never, H = never, X = never>({
  services = Layer.empty as unknown as Layer.Layer<S, E, R>,
  http = Layer.empty as Layer.Layer<never, E, H>,
  extension = Effect.succeed(extensionOf({})) as Effect.Effect<Extension, never, X>,
  ...declared
}: Manifest<S, E, R, H, X>) => {
  const made: Capability<R | Exclude<H, S>, R | Exclude<X, S> | Extensions, E> = {
    ...held,
    manifest: () => made,
    declares: () => undefined,
    api: undefined,
    events: {},
    notices: {},
    noticeTexts: {},
    languages: {},
    queues: {},
    publicHolidays: undefined,
    typeFields: {},
    organisationFields: {},
    appointmentFields: {},
    sessionModes: {},
    deskOperations: [],
    codePages: [],
    credentialRoutes: {},
    bodies: {},
    startPages: {},
    startLines: () => [],
    tables: {},
    database: undefined,
    payments: () => undefined,
    files: () => undefined,
    keyService: () => undefined,
    exporter: undefined,
    commands: [],
    retentionKinds: {},
    jobFunctions: () => [],
    openPages: [],
    rootPage: undefined,
    ...declared,
    http: provide(http, services),
    extension: Layer.effectDiscard(
      Effect.flatMap(Extensions, ({ add }) => Effect.flatMap(extension, (one) => add(declared.name, one)))
    ).pipe(provide(services))
  }
  return made
}
