/** Who sends a request, as far as its admission needs it. */
import type { HttpServerRequest } from "@effect/platform"
import { Clock, Effect, Option } from "effect"
import { ApiKeys } from "../../services/access/ApiKeys.ts"
import { BookingTokenSecrets } from "../../services/access/BookingTokenSecrets.ts"
import { verifyBookingToken } from "../../services/access/BookingTokens.ts"
import { remember } from "../../services/remember.ts"
import { Service } from "../../services/Service.ts"
import { hashOf } from "../../services/uid.ts"
import type { Credential } from "./Admission.ts"
import { inClass } from "./costClasses.ts"

/** How long a credential is remembered: it decides only how a request is counted. */
const REMEMBERED_MILLIS = 60_000

export class Callers extends Service<Callers>()("http/Callers", {
  effect: Effect.gen(function* () {
    const keys = yield* ApiKeys
    const secrets = yield* BookingTokenSecrets
    const remembered = new Map<string, { readonly credential: Credential; readonly until: number }>()

    const ofKey = (text: string) =>
      Effect.map(
        keys.authenticate(text),
        ({ uid, organisation_uid, pharmacy_uid, pharmacy_group_uid }): Credential => ({
          id: `key:${uid}`,
          kind: "partner",
          owner: organisation_uid ?? pharmacy_uid ?? pharmacy_group_uid ?? ""
        })
      )
    const ofToken = (text: string) =>
      Effect.flatMap(verifyBookingToken(text, secrets.find), ({ secret, shop_customer_id }) =>
        secret.shop_uid === null
          ? Effect.fail("no shop" as const)
          : Effect.succeed<Credential>({
              id: `customer:${hashOf(`${secret.shop_uid} ${shop_customer_id}`).toString("base64url")}`,
              kind: "patient",
              owner: secret.organisation_uid
            })
      )

    const remembering = Effect.fnUntraced(function* <E, R>(text: string, verify: Effect.Effect<Credential, E, R>) {
      const key = hashOf(text).toString("base64url")
      const now = yield* Clock.currentTimeMillis
      const known = remembered.get(key)
      if (known !== undefined && known.until > now) return Option.some(known.credential)
      const found = yield* inClass("admission")(Effect.option(verify))
      if (Option.isSome(found)) {
        remember(remembered, key, { credential: found.value, until: now + REMEMBERED_MILLIS })
      }
      return found
    })

    /** The API key or the patient whose credential a request sends to a route that needs none. None if it is not valid. */
    const sentAlong = Effect.fnUntraced(function* ({ headers }: HttpServerRequest.HttpServerRequest) {
      const { "x-api-key": key, "x-service-booking-token": token } = headers
      const found = key === undefined ? Option.none() : yield* remembering(key, ofKey(key))
      return Option.isNone(found) && token !== undefined ? yield* remembering(token, ofToken(token)) : found
    })

    return { sentAlong } as const
  }),
  dependencies: [ApiKeys.Default, BookingTokenSecrets.Default]
}) {}
