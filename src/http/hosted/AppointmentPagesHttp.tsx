/** `{meetings_url}/appointment/{action_code}`: the page behind a reminder's link (Rule 5.5.2). */
import { HttpApiBuilder } from "@effect/platform"
import { Effect, Schema } from "effect"
import { AppointmentPage } from "../../pages/views/AppointmentPage.tsx"
import { appointmentTitle } from "../../pages/views/appointmentState.ts"
import { OptionalText } from "../../schemas/fields.ts"
import { invalid } from "../../schemas/problems.ts"
import { DomainClock } from "../../services/DomainClock.ts"
import { PageHosts } from "../../services/hosted/PageHosts.ts"
import { ActionLinks } from "../../services/scheduling/appointments/ActionLinks.ts"
import { statusOf } from "../problems.ts"
import { pageHandler, seeOther } from "./serving/pageHandler.ts"
import { Respond } from "./serving/Respond.tsx"
import { readForm, type Visit } from "./serving/visit.ts"

const makeHandlers = Effect.gen(function* () {
  const links = yield* ActionLinks
  const hosts = yield* PageHosts
  const clock = yield* DomainClock
  const respond = yield* Respond

  const addressOf = (path: string, query: Readonly<Record<string, string>>) => {
    const text = new URLSearchParams(query).toString()
    return `${respond.prefix}${path}${text === "" ? "" : `?${text}`}`
  }
  const selfOf = ({ code, kept }: Visit) => addressOf(`/appointment/${encodeURIComponent(code)}`, kept)

  const draw = Effect.fnUntraced(function* (visit: Visit, refused: boolean) {
    const standing = yield* links.standing(visit.code)
    const host = yield* hosts.ofActionCode(visit.code)
    const zone = visit.zone ?? host.timezone
    const data = { ...standing, zone, refused, now: yield* clock.now, post: selfOf(visit) }
    return respond.page(visit, host, {
      title: appointmentTitle(visit.language, data),
      script: "appointment",
      stage: "appointment",
      status: refused ? 409 : 200,
      body: <AppointmentPage language={visit.language} data={data} />
    })
  })

  const join = Effect.fnUntraced(function* ({ code, kept }: Visit) {
    const { room_name, token } = yield* links.join(code)
    return addressOf(`/meeting/${encodeURIComponent(room_name)}`, { ...kept, jwt: token })
  })

  const cancel = Effect.fnUntraced(function* (visit: Visit, typed: string | undefined) {
    const reason = yield* Effect.mapError(Schema.decodeUnknown(OptionalText)(typed ?? null), () =>
      invalid("reason", "is too long")
    )
    yield* links.cancel(visit.code, reason)
    return selfOf(visit)
  })

  const rebook = Effect.fnUntraced(function* ({ code, kept }: Visit) {
    const { booking_launch_code } = yield* links.rebookSession(code)
    return addressOf(`/booking/${encodeURIComponent(booking_launch_code)}`, kept)
  })

  /** What the button does is what the link is for; a refusal shows how things stand now. */
  const act = Effect.fnUntraced(function* (visit: Visit) {
    const field = yield* readForm
    const { action } = yield* links.context(visit.code)
    const actions = {
      join: () => join(visit),
      cancel: () => cancel(visit, field("reason")),
      rebook: () => rebook(visit)
    }
    return yield* Effect.map(Effect.suspend<string, unknown, never>(actions[action]), seeOther).pipe(
      Effect.catchIf(
        (error) => statusOf(error) !== 404,
        () => draw(visit, true)
      )
    )
  })

  const page = pageHandler(respond, "appointment")
  return { route: respond.route, show: page((visit) => draw(visit, false)), act: page(act) }
})

export const AppointmentPagesHttp = HttpApiBuilder.Router.use((router) =>
  Effect.gen(function* () {
    const { route, show, act } = yield* makeHandlers
    yield* router.get(route("/appointment/:code"), show)
    yield* router.post(route("/appointment/:code"), act)
  })
)
