/** The admission of one request: what its route and its credential tell about its cost. */
import { Context, Effect, Option } from "effect"
import type { TooManyRequests } from "../../schemas/problems.ts"
import type { Party } from "../../services/fairQueue.ts"
import type { CurrentTenant } from "../../services/tenancy/Tenancy.ts"

/** A verified credential. */
export interface Credential {
  /** Names its bucket. */
  readonly id: string
  /** `partner`, an API key or a member of staff, has RATE_LIMIT_KEY_PER_SECOND, `patient` RATE_LIMIT_PER_SECOND. */
  readonly kind: "partner" | "patient"
  /** The organisation or pharmacy; "" for others. */
  readonly owner: string
}

/** The admission of the current request, in the context of its handler. */
export class Admission extends Context.Tag("http/Admission")<
  Admission,
  {
    /** Takes one token from a verified credential's bucket. */
    readonly admit: (credential: Credential) => Effect.Effect<void, TooManyRequests>
    /** Takes one token from the bucket of the address, for a request whose credential is not verified yet. */
    readonly admitAddress: Effect.Effect<void, TooManyRequests>
    /** Counts the request of a route before its handler. Fails if it has to wait. */
    readonly begin: (route: RouteKind) => Effect.Effect<void, TooManyRequests, CurrentTenant>
    /** Fails if the request has to wait: for pages, which render their own errors. */
    readonly ensure: Effect.Effect<void, TooManyRequests>
    /** For whom the request runs: its verified credential and the owner of that, else its address. */
    readonly party: () => RequestParty
    /** Counts the request as one with a refused credential, unless it has a verified one. */
    readonly refuse: Effect.Effect<void, TooManyRequests>
  }
>() {}

/** For whom a request runs. */
export interface RequestParty extends Party {
  /** An API key or a member of staff. */
  readonly isPartner: boolean
}

/** For whom the current request runs. Outside of a request: the service itself. */
export const currentParty = Effect.map(
  Effect.serviceOption(Admission),
  Option.match({
    onNone: (): RequestParty => ({ owner: "", caller: "", isPartner: false }),
    onSome: ({ party }) => party()
  })
)

type Admitting = Context.Tag.Service<Admission>

const withAdmission = <A, E>(use: (admission: Admitting) => Effect.Effect<A, E>) =>
  Effect.flatMap(Effect.serviceOption(Admission), (found) =>
    Option.match(found, { onNone: () => Effect.void, onSome: (admission) => Effect.asVoid(use(admission)) })
  )

/** Takes one token from the bucket of a verified credential. Fails with `TooManyRequests`. */
export const admitCredential = (credential: Credential) => withAdmission(({ admit }) => admit(credential))

/** Takes one token from the bucket of the address. Fails with `TooManyRequests`. */
export const admitAddress = withAdmission((admission) => admission.admitAddress)

/** For pages: fails with `TooManyRequests` if the request has to wait. */
export const ensureAdmitted = withAdmission(({ ensure }) => ensure)

/**
 * For routes that answer a refused credential with another status than 401, or with a page: counts it as refused. Fails with
 * `TooManyRequests` if its address has sent too many of them.
 */
export const refuseCredential = withAdmission(({ refuse }) => refuse)

/**
 * How the requests of a route are counted. `credential`: its handler verifies a credential. `code`: the code in the path is
 * the credential. `open`: by a credential that is sent along, else by address. `free`: not at all.
 */
export type RouteKind =
  | { readonly kind: "credential" | "free" }
  | { readonly kind: "open"; readonly area: Area; readonly shop: string | undefined }
  | { readonly kind: "code"; readonly code: string; readonly isPage: boolean; readonly isSocket: boolean }

/** Buckets of an address: RATE_LIMIT_PER_SECOND for patients and pages; five times RATE_LIMIT_KEY_PER_SECOND for all else. */
export type Area = "patient" | "page" | "other"
