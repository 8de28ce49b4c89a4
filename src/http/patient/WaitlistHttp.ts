import { HttpServerResponse } from "@effect/platform"
import { Effect, Layer, Schema } from "effect"
import { WaitlistEntry } from "../../schemas/scheduling/Waitlist.ts"
import { Entries } from "../../services/scheduling/waitlist/Entries.ts"
import { Offers } from "../../services/scheduling/waitlist/Offers.ts"
import { recordTags } from "../conditional.ts"
import { group } from "../group.ts"

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
