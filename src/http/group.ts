/** Handlers of a group of the interface. Every POST takes an `Idempotency-Key`: by its own contract, or else here. Section 2.6. */
import {
  type HttpApi,
  HttpApiBuilder,
  type HttpApiEndpoint,
  type HttpApiGroup,
  type HttpServerRequest
} from "@effect/platform"
import { Chunk, Context, Effect, FiberRef, Layer, Option, Ref, Schema } from "effect"
import { Idempotency, INSTALLATION, type KeyHolder } from "../services/Idempotency.ts"
import { ActionLinks } from "../services/scheduling/appointments/ActionLinks.ts"
import { BookingSessions } from "../services/scheduling/booking/BookingSessions.ts"
import { anonymous, currentTenancy } from "../services/tenancy/Tenancy.ts"
import { Api } from "./Api.ts"
import { builtWith } from "./builtWith.ts"
import type { BookingToken, OpeningToken, PatientOrKey, WriteKey } from "./credentials/credentials.ts"
import { endpointsOf } from "./endpoints.ts"
import { IdempotencyKey, isDryRun, isKeyedHere, isNotReplayed } from "./repeatable.ts"

/** What a handler is given. */
interface Request {
  readonly request: HttpServerRequest.HttpServerRequest
  readonly path?: { readonly booking_launch_code?: string; readonly code?: string }
  readonly urlParams?: unknown
  readonly payload?: unknown
}

const keyIn = ({ request }: Request) =>
  Effect.map(Schema.decodeUnknown(IdempotencyKey)(request.headers), (decoded) => decoded["idempotency-key"])

/** Answers are encoded without services. */
const answerOf = ({ successSchema }: HttpApiEndpoint.HttpApiEndpoint.AnyWithProps) =>
  successSchema as Schema.Schema<unknown, unknown> // any services, to the framework

const makeRepeating = Effect.gen(function* () {
  const idempotency = yield* Idempotency
  const sessions = yield* BookingSessions
  const links = yield* ActionLinks

  /** The credential's actor, or else the session or link of the code. */
  const holderOf = Effect.fnUntraced(function* ({ path = {} }: Request) {
    const { organisation, pharmacy, request } = yield* FiberRef.get(currentTenancy)
    if (request !== null && request.actor !== anonymous)
      return {
        owner_uid: organisation || pharmacy || INSTALLATION,
        scope: `${request.actor.kind}:${request.actor.uid}`
      } satisfies KeyHolder
    if (path.booking_launch_code !== undefined) {
      const { organisation_uid, uid } = yield* sessions.byLaunchCode(path.booking_launch_code)
      return { owner_uid: organisation_uid, scope: `session:${uid}` } satisfies KeyHolder
    }
    const { organisation_uid, uid } = yield* links.resolve(path.code ?? "")
    return { owner_uid: organisation_uid, scope: `action_link:${uid}` } satisfies KeyHolder
  })

  const repeating = Effect.fnUntraced(function* <A, E, R>(
    endpoint: HttpApiEndpoint.HttpApiEndpoint.AnyWithProps,
    request: Request,
    work: Effect.Effect<A, E, R>
  ) {
    const key = yield* keyIn(request)
    if (key === undefined) return yield* work
    const { path, urlParams, payload } = request
    const named = { ...(yield* holderOf(request)), key, request: [endpoint.path, path, urlParams, payload] }
    if (!isNotReplayed(endpoint) && !isDryRun(payload))
      return yield* idempotency.onceApart({ ...named, answer: answerOf(endpoint) }, work)
    const answer = yield* Ref.make(Option.none<A>())
    const first = Effect.as(
      Effect.tap(work, (made) => Ref.set(answer, Option.some(made))),
      null
    )
    yield* idempotency.onceApart({ ...named, answer: Schema.Null }, first)
    return yield* Option.match(yield* Ref.get(answer), { onNone: () => work, onSome: Effect.succeed })
  })

  return <E, R>(item: HttpApiBuilder.Handlers.Item<E, R>) => {
    const endpoint = item.endpoint as HttpApiEndpoint.HttpApiEndpoint.AnyWithProps // what every endpoint is
    if (!isKeyedHere(endpoint)) return item
    return { ...item, handler: (request: Request) => repeating(endpoint, request, item.handler(request)) }
  }
})

type Interface =
  typeof Api extends HttpApi.HttpApi<infer Id, infer Groups, infer E, infer R>
    ? { readonly id: Id; readonly groups: Groups; readonly error: E; readonly context: R }
    : never
type Groups = Interface["groups"]

/** Handlers close over their services, but for this one; what checks credentials is looked up where their routes are built. */
const keptByRequests = [Idempotency, ...endpointsOf(Api).flatMap(({ middleware }) => [...middleware])]

type KeptByRequests = Idempotency | BookingToken | OpeningToken | PatientOrKey | WriteKey

/** What handlers need when they are asked, beside what belongs to the request. */
type NeededLater<Built> =
  Built extends HttpApiBuilder.Handlers<infer _E, infer _P, infer R, infer _Endpoints>
    ? R
    : Built extends Effect.Effect<
          HttpApiBuilder.Handlers<infer _E, infer _P, infer R, infer _Endpoints>,
          infer _EX,
          infer _RX
        >
      ? R
      : never

/** The handlers of the group of this name, as `HttpApiBuilder.group` takes them. */
export const group = <const Name extends HttpApiGroup.HttpApiGroup.Name<Groups>, Return>(
  name: Name,
  build: (
    handlers: HttpApiBuilder.Handlers.FromGroup<
      Interface["error"],
      Interface["context"],
      HttpApiGroup.HttpApiGroup.WithName<Groups, Name>
    >
  ) => HttpApiBuilder.Handlers.ValidateReturn<Return> &
    ([NeededLater<Return>] extends [KeptByRequests] ? unknown : NeededLater<Return>)
) =>
  Layer.unwrapEffect(
    Effect.map(Effect.context<HttpApiBuilder.Handlers.Context<Return>>(), (all) =>
      HttpApiBuilder.group<Interface["id"], Groups, Interface["error"], Interface["context"], Name, Return>(
        Api,
        name,
        (handlers) => {
          const built: unknown = build(handlers)
          const whole = (Effect.isEffect(built) ? built : Effect.succeed(built)) as Effect.Effect<
            HttpApiBuilder.Handlers<unknown, unknown, unknown>
          >
          // The cast: what the handlers fail with more is answered as any other problem, and what they need more is provided below
          const repeatable: unknown = Effect.zipWith(whole, makeRepeating, (made, repeating) => ({
            ...made,
            handlers: Chunk.map(made.handlers, repeating)
          })).pipe(Effect.mapInputContext((input) => Context.merge(input, all)))
          return repeatable as HttpApiBuilder.Handlers.ValidateReturn<Return>
        }
      ).pipe(builtWith(keptByRequests))
    )
  ).pipe(Layer.provide([Idempotency.Default, BookingSessions.Default, ActionLinks.Default]))
