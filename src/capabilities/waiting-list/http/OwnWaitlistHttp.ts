import { HttpServerResponse } from "@effect/platform"
import { Effect, Layer, Schema } from "effect"
import { recordTags } from "../../../http/conditional.ts"
import { groupOf } from "../../../http/group.ts"
import { WaitlistEntry } from "../schemas/Waitlist.ts"
import { Entries } from "../services/Entries.ts"
import { Offers } from "../services/Offers.ts"
import { WaitlistApi } from "./WaitlistApi.ts"

const group = groupOf(WaitlistApi)
const encode = Schema.encodeSync(WaitlistEntry)
const { tagged } = recordTags(WaitlistEntry)

/** 201 with a new entry, 200 with the one that has the same wish. */
export const createdOrFound = ({ entry, created }: { readonly entry: WaitlistEntry; readonly created: boolean }) =>
  Effect.map(tagged(Effect.succeed(entry)), (one) =>
    HttpServerResponse.unsafeJson(encode(one), { status: created ? 201 : 200 })
  )

export const OwnWaitlistHttp = group("patient.waitlist", (handlers) =>
  Effect.map(Entries, (entries) =>
    handlers
      .handle("add", ({ path, payload }) =>
        Effect.flatMap(entries.createOwn(path.booking_launch_code, payload), createdOrFound)
      )
      .handle("entry", ({ path }) => entries.getOwn(path.booking_launch_code).pipe(tagged))
      .handle("leave", ({ path }) => entries.removeOwn(path.booking_launch_code))
  )
).pipe(Layer.provide(Entries.Default))

export const WaitlistOffersHttp = group("patient.waitlist_offers", (handlers) =>
  Effect.map(Offers, (offers) =>
    handlers
      .handle("context", ({ path }) => offers.context(path.code))
      .handle("accept", ({ path }) => offers.accept(path.code))
      .handle("decline", ({ path }) => offers.decline(path.code))
  )
).pipe(Layer.provide(Offers.Default))
