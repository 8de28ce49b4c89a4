/** Builds handlers of an API group, and gives each POST its `Idempotency-Key`. Section 2.6. */
import {
  type HttpApi,
  HttpApiBuilder,
  type HttpApiEndpoint,
  type HttpApiGroup,
  HttpApiSchema,
  type HttpServerRequest
} from "@effect/platform"
import { Chunk, Context, Effect, FiberRef, Layer, Option, Ref, Schema } from "effect"
import { anonymous } from "../schemas/access/Actor.ts"
import { type AppointmentUid, OrganisationUid } from "../schemas/ids.ts"
import { type AnswerPath, completedAt, EACH } from "../schemas/scheduling/appointmentAnswers.ts"
import { claimed, Idempotency, INSTALLATION, type KeyHolder, requestKey } from "../services/Idempotency.ts"
import { onFirstUse } from "../services/onFirstUse.ts"
import { ActionLinks } from "../services/scheduling/appointments/ActionLinks.ts"
import { type AboutAppointment, AppointmentAnswers } from "../services/scheduling/appointments/AppointmentAnswers.ts"
import { BookingSessions } from "../services/scheduling/booking/BookingSessions.ts"
import { type CurrentTenant, currentTenancy } from "../services/tenancy/Tenancy.ts"
import { Api } from "./Api.ts"
import { costClassOf, inClass } from "./admission/costClasses.ts"
import { builtFrom } from "./builtWith.ts"
import { CurrentDoctor } from "./credentials/credentials.ts"
import { encodedFor } from "./encoded.ts"
import { endpointsOf } from "./endpoints.ts"
import { isDryRun, keyIn, keyUse } from "./idempotent.ts"
import { handledInRequest } from "./inRequest.ts"
import { entityTag, setTag } from "./server/compression.ts"

/** The arguments of a handler. */
interface Request {
  readonly request: HttpServerRequest.HttpServerRequest
  readonly path?: { readonly booking_launch_code?: string; readonly hold_uid?: AppointmentUid; readonly code?: string }
  readonly urlParams?: unknown
  readonly payload?: unknown
}

/** No content, as it is stored. */
const NoContent: Schema.Schema<unknown, unknown> = Schema.transform(Schema.Unknown, Schema.Unknown, {
  decode: () => undefined,
  encode: () => null
})

/** The response schema. Encoding it needs no services. */
const responseSchema = ({ successSchema }: HttpApiEndpoint.HttpApiEndpoint.AnyWithProps) =>
  HttpApiSchema.isVoid(successSchema.ast) ? NoContent : (successSchema as Schema.Schema<unknown, unknown>) // the framework types its services as any

/** The answer with what is made of each record at the path. The casts: of the path's schema. */
const mapped = (value: unknown, [name, ...rest]: AnswerPath, make: (record: AboutAppointment) => unknown): unknown => {
  if (name === undefined) return make(value as AboutAppointment)
  if (name === EACH) return (value as ReadonlyArray<unknown>).map((one) => mapped(one, rest, make))
  const whole = value as Readonly<Record<PropertyKey, unknown>>
  return { ...whole, [name]: mapped(whole[name], rest, make) }
}

/** Completes answers about appointments: for the doctor who asks, else for the practice. */
const makeCompleted = Effect.map(AppointmentAnswers, (answers) => {
  const complete = Effect.fnUntraced(function* (records: ReadonlyArray<AboutAppointment>, isNew: boolean) {
    const doctor = Option.map(yield* Effect.serviceOption(CurrentDoctor), ({ doctor_uid }) => doctor_uid)
    const { organisation } = yield* currentTenancy
    return yield* answers.completed(OrganisationUid.make(organisation), Option.getOrNull(doctor), records, isNew)
  })
  return (endpoint: HttpApiEndpoint.HttpApiEndpoint.AnyWithProps) => {
    const path = completedAt(endpoint.successSchema.ast)
    if (path === undefined) return Effect.succeed
    // its service repeats the answer for a repeated key
    const isNew = keyUse(endpoint) === "service"
    return (answer: unknown) => {
      const records: Array<AboutAppointment> = []
      mapped(answer, path, (one) => records.push(one))
      return Effect.map(complete(records, isNew), (made) => {
        const madeOf = new Map(records.map((one, at) => [one, made[at]]))
        return mapped(answer, path, (one) => madeOf.get(one))
      })
    }
  }
})

const makeIdempotent = Effect.gen(function* () {
  const { once, onceOutsideTransaction } = yield* Idempotency
  const sessions = yield* BookingSessions
  const links = yield* ActionLinks
  const completedFor = yield* makeCompleted

  /** The authenticated actor, otherwise the booking session or action link of the code in the path. */
  const holderOf = Effect.fnUntraced(function* ({ path = {} }: Request) {
    const { organisation, pharmacy, request } = yield* currentTenancy
    if (request !== null && request.actor !== anonymous)
      return {
        owner_uid: organisation || pharmacy || INSTALLATION,
        scope: `${request.actor.kind}:${request.actor.uid}`
      } satisfies KeyHolder
    if (path.booking_launch_code !== undefined) {
      const { booking_launch_code: code, hold_uid } = path
      const { organisation_uid, uid } = yield* hold_uid === undefined
        ? sessions.anyByLaunchCode(code)
        : sessions.byHold(code, hold_uid)
      return { owner_uid: organisation_uid, scope: `session:${uid}` } satisfies KeyHolder
    }
    const { organisation_uid, uid } = yield* links.resolve(path.code ?? "", "read")
    return { owner_uid: organisation_uid, scope: `action_link:${uid}` } satisfies KeyHolder
  })

  /** An answer with its tag, which is set again for a replay. */
  const kept = <A>(answer: Schema.Schema<A, unknown>) => Schema.Struct({ answer, tag: Schema.NullOr(Schema.String) })
  const withTag = <A, E, R>(work: Effect.Effect<A, E, R>) =>
    Effect.locally(
      Effect.zipWith(work, FiberRef.get(entityTag), (answer, tag) => ({ answer, tag })),
      entityTag,
      null
    )

  const onceAsUsed = Effect.fnUntraced(function* <E, R>(
    endpoint: HttpApiEndpoint.HttpApiEndpoint.AnyWithProps,
    request: Request,
    work: Effect.Effect<unknown, E, R>
  ) {
    const use = isDryRun(request.payload) ? "again" : keyUse(endpoint)
    if (use === "service") return yield* work
    const holder = yield* holderOf(request)
    if (use === "again") {
      const first = yield* Ref.make(Option.none<unknown>())
      const noted = Effect.asVoid(Effect.tap(work, (made) => Ref.set(first, Option.some(made))))
      yield* onceOutsideTransaction({ ...holder, answer: NoContent }, noted)
      return yield* Option.match(yield* Ref.get(first), { onNone: () => claimed(work), onSome: Effect.succeed })
    }
    const claim = { ...holder, answer: kept(responseSchema(endpoint)) }
    const { answer, tag } = yield* (use === "transaction" ? once : onceOutsideTransaction)(claim, withTag(work))
    if (tag !== null) yield* setTag(tag)
    return answer
  })

  const byKey = Effect.fnUntraced(function* <E, R>(
    endpoint: HttpApiEndpoint.HttpApiEndpoint.AnyWithProps,
    request: Request,
    work: Effect.Effect<unknown, E, R>
  ) {
    const key = yield* keyIn(request.request.headers)
    if (key === undefined) return yield* work
    const { path, urlParams, payload } = request
    const keyed = Option.some({ key, request: [endpoint.path, path, urlParams, payload] })
    return yield* Effect.locally(onceAsUsed(endpoint, request, work), requestKey, keyed)
  })

  return <E, R>(item: HttpApiBuilder.Handlers.Item<E, R>) => {
    const endpoint = item.endpoint as HttpApiEndpoint.HttpApiEndpoint.AnyWithProps // what every endpoint is
    const admitted = inClass(costClassOf(endpoint))
    const encoded = encodedFor(endpoint)
    const completed: (answer: unknown) => Effect.Effect<unknown, never, CurrentTenant> = completedFor(endpoint)
    const handler = (request: Request) => Effect.flatMap(item.handler(request), completed)
    return keyUse(endpoint) === "none"
      ? (request: Request) => Effect.map(admitted(handler(request)), encoded)
      : (request: Request) => Effect.map(admitted(byKey(endpoint, request, handler(request))), encoded)
  }
})

/** Services in the context of requests: handlers close over all others; the framework looks up credential middleware here. */
const requestServicesOf = (api: HttpApi.HttpApi.Any) => endpointsOf(api).flatMap(({ middleware }) => [...middleware])

/** Those of a group's requests: also the credentials that single endpoints ask for. */
type RequestServices<Group extends HttpApiGroup.HttpApiGroup.Any> =
  | CurrentTenant
  | HttpApiEndpoint.HttpApiEndpoint.Context<HttpApiGroup.HttpApiGroup.Endpoints<Group>>

/** Handlers without the types of their endpoints. */
interface AnyHandlers {
  readonly handlers: Chunk.Chunk<HttpApiBuilder.Handlers.Item<unknown, unknown>>
  readonly handle: (
    name: string,
    handler: (request: Request) => Effect.Effect<unknown, unknown, unknown>,
    options: { readonly uninterruptible: boolean }
  ) => AnyHandlers
  readonly handleRaw: AnyHandlers["handle"]
}

/** Services that handlers need when they run, besides those of the request. */
type HandlerServices<Built> =
  Built extends HttpApiBuilder.Handlers<infer _E, infer _P, infer R, infer _Endpoints>
    ? R
    : Built extends Effect.Effect<
          HttpApiBuilder.Handlers<infer _E, infer _P, infer R, infer _Endpoints>,
          infer _EX,
          infer _RX
        >
      ? R
      : never

/** What keyed requests of all groups need: provided once to all of them, by the server. */
export const KeyedRequests = Layer.mergeAll(BookingSessions.Default, ActionLinks.Default, AppointmentAnswers.Default)

/** Services with which a group's handlers are built. */
type GroupServices<Return> = HttpApiBuilder.Handlers.Context<Return> | Layer.Layer.Success<typeof KeyedRequests>

/** For an API: the handlers of its group of a name, as `HttpApiBuilder.group` takes them. */
export const groupOf = <Id extends string, Groups extends HttpApiGroup.HttpApiGroup.Any, Failure, Context_>(
  api: HttpApi.HttpApi<Id, Groups, Failure, Context_>
) => {
  const requestServices = onFirstUse(() => requestServicesOf(api))
  return <const Name extends HttpApiGroup.HttpApiGroup.Name<Groups>, Return>(
    name: Name,
    build: (
      handlers: HttpApiBuilder.Handlers.FromGroup<Failure, Context_, HttpApiGroup.HttpApiGroup.WithName<Groups, Name>>
    ) => HttpApiBuilder.Handlers.ValidateReturn<Return> &
      ([HandlerServices<Return>] extends [RequestServices<HttpApiGroup.HttpApiGroup.WithName<Groups, Name>>]
        ? unknown
        : HandlerServices<Return>)
  ) =>
    builtFrom(requestServices, (all: Context.Context<GroupServices<Return>>) =>
      HttpApiBuilder.group<Id, Groups, Failure, Context_, Name, Return>(api, name, (handlers) => {
        const built: unknown = build(handlers)
        // The cast: `build` returns handlers or an effect of them
        const whole = (Effect.isEffect(built) ? built : Effect.succeed(built)) as Effect.Effect<AnyHandlers>
        // The cast: `ProblemsMiddleware` answers the errors that idempotency adds, and the services that it needs are in `all`
        const wrapped: unknown = Effect.zipWith(whole, makeIdempotent, (made, idempotently) =>
          Chunk.reduce(made.handlers, handlers as unknown as AnyHandlers, (some, item) =>
            some[item.withFullRequest ? "handleRaw" : "handle"](item.endpoint.name, idempotently(item), item)
          )
        ).pipe(Effect.mapInputContext((input) => Context.merge(input, all)))
        return wrapped as HttpApiBuilder.Handlers.ValidateReturn<Return>
      })
    ).pipe(handledInRequest)
}

/** Handlers of the core's groups. */
export const group = groupOf(Api)
