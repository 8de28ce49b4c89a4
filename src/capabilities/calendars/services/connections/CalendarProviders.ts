/** The port to the providers of calendars: one adapter each. Rule 3.15. */
import { Context, Data, Effect, Schema } from "effect"
import type { ConnectionFault, GrantingProvider, ProviderName } from "../../schemas/connections/CalendarConnection.ts"

/** `token_lost`: the next reading must be whole. `gone`: there is no such entry or calendar. */
export class ProviderFailed extends Data.TaggedError("ProviderFailed")<{
  readonly reason: ConnectionFault | "token_lost"
  /** Seconds after which it may be asked again, where the provider says so. */
  readonly after?: number
}> {}
type Asked<A> = Effect.Effect<A, ProviderFailed>
/** This value where the provider answers for one of these reasons. */
export const ifFailed =
  <B>(value: B, ...reasons: ReadonlyArray<ProviderFailed["reason"]>) =>
  <A, R>(asked: Effect.Effect<A, ProviderFailed, R>): Effect.Effect<A | B, ProviderFailed, R> =>
    Effect.catchIf(
      asked,
      ({ reason }) => reasons.includes(reason),
      () => Effect.succeed(value)
    )

export interface Tokens {
  readonly access_token: string
  /** Undefined: the one before is still good. */
  readonly refresh_token?: string | undefined
  /** Seconds. */
  readonly expires_in: number
}

/** What is sealed of a connection; empty: its provider does not need it. */
export const SealedAccess = Schema.Struct({
  ...{ access_token: Schema.String, refresh_token: Schema.String },
  // of CalDAV
  ...{ url: Schema.String, username: Schema.String, password: Schema.String }
})
/** What gives access to an account. */
export interface Access extends Schema.Schema.Type<typeof SealedAccess> {
  /** Unix seconds, real time; null: it does not end. */
  readonly until: number | null
}
export const noAccess: Access = {
  ...{ access_token: "", refresh_token: "", url: "", username: "", password: "", until: null }
}
/** The access with the tokens that were given at a real time. */
export const withTokens = (
  before: Access,
  { access_token, refresh_token = before.refresh_token, expires_in }: Tokens,
  given: number
): Access => ({ ...before, access_token, refresh_token, until: given + expires_in })

export interface FoundCalendar {
  readonly id: string
  readonly name: string
  readonly account: string
  readonly isDefault: boolean
}

/** An entry as it is read: without a title. */
export interface ReadEntry {
  readonly id: string
  /** Our own key, where the provider shows it. */
  readonly key: string | null
  readonly isGone: boolean
  readonly isBlocking: boolean
  /** Unix seconds. */
  readonly start: number
  readonly end: number
}

export interface Changes {
  readonly entries: ReadonlyArray<ReadEntry>
  /** Whether these are all entries of the period. */
  readonly isWhole: boolean
  readonly token: string | null
}

export interface Reading {
  readonly calendar: string
  readonly token: string | null
  /** Unix seconds. */
  readonly from: number
  readonly to: number
  readonly now: number
  /** IANA zone of all-day entries. */
  readonly timezone: string
  /** Keys of own entries in this calendar. */
  readonly own: ReadonlyArray<string>
}

export interface WrittenEntry {
  /** Stands in the entry, to find it again. */
  readonly key: string
  /** Of this state of the entry: a second attempt has the same. */
  readonly attempt: string
  readonly title: string
  readonly url: string
  readonly start: number
  readonly end: number
}

export interface Subscription {
  readonly id: string
  readonly resource: string
  /** Unix seconds. */
  readonly until: number
}

/** The calendars of an account. */
export interface CalendarProvider {
  readonly calendars: Asked<ReadonlyArray<FoundCalendar>>
  readonly changes: (reading: Reading) => Asked<Changes>
  /** The identifier of the entry with this key. */
  readonly find: (calendar: string, key: string) => Asked<string | null>
  /** Answers its identifier; one that stands there under the key is changed. */
  readonly create: (calendar: string, entry: WrittenEntry) => Asked<string>
  /** Fails with `gone` where it is no longer there. */
  readonly change: (calendar: string, id: string, entry: WrittenEntry) => Asked<void>
  /** Also where it is no longer there. */
  readonly remove: (calendar: string, id: string) => Asked<void>
  /** Null: it cannot push. */
  readonly subscribe: (calendar: string, address: string, now: number) => Asked<Subscription | null>
  readonly unsubscribe: (subscription: Omit<Subscription, "until">) => Asked<void>
}

/** A provider whose page asks the doctor (OAuth 2, RFC 6749, with PKCE, RFC 7636). */
export interface Granting {
  /** Whether changes can be pushed here: BASE_URL is https, or it is a stand-in. */
  readonly isStandIn: boolean
  readonly authorizeUrl: (asked: {
    readonly state: string
    readonly challenge: string
    readonly redirect: string
  }) => string
  readonly exchange: (code: string, verifier: string, redirect: string) => Asked<Tokens>
  readonly refresh: (refresh_token: string) => Asked<Tokens>
  /** Ends the grant; nothing where the provider has no such call. */
  readonly revoke: (refresh_token: string) => Asked<void>
}

export class CalendarProviders extends Context.Tag("calendars/CalendarProviders")<
  CalendarProviders,
  {
    readonly [Provider in ProviderName]: (access: Access) => CalendarProvider
  } & {
    /** Undefined without the provider's settings. */
    readonly granting: (provider: GrantingProvider) => Granting | undefined
    /** Whether a CalDAV address may be asked. */
    readonly examine: (url: string) => Effect.Effect<string | null>
  }
>() {}
