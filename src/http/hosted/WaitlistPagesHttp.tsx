/**
 * `{meetings_url}/waitlist/{code}`: the page behind the links of an offer. It accepts, declines, leaves the list or goes on after a pause, by
 * forms; nothing happens on GET. Section 19.3.
 */
import { Effect } from "effect"
import { NoticePage } from "../../pages/views/NoticePage.tsx"
import { DomainClock } from "../../services/DomainClock.ts"
import { PageHosts } from "../../services/hosted/PageHosts.ts"
import { longPeriod, shortTime } from "../../services/notifications/times.ts"
import { Entries } from "../../services/scheduling/waitlist/Entries.ts"
import { Offers } from "../../services/scheduling/waitlist/Offers.ts"
import type { ShownOffer } from "../../services/scheduling/waitlist/WaitlistRepo.ts"
import { catalogue } from "../../texts/catalogue.ts"
import { fill } from "../../texts/fill.ts"
import { Routes } from "../inRequest.ts"
import { pageHandler, seeOther } from "./serving/pageHandler.ts"
import { Respond } from "./serving/Respond.tsx"
import { readForm, type Visit } from "./serving/visit.ts"

const makeHandlers = Effect.gen(function* () {
  const offers = yield* Offers
  const entries = yield* Entries
  const hosts = yield* PageHosts
  const clock = yield* DomainClock
  const respond = yield* Respond

  const addressOf = ({ code, kept }: Visit) => {
    const query = new URLSearchParams(kept).toString()
    return `${respond.prefix}/waitlist/${encodeURIComponent(code)}${query === "" ? "" : `?${query}`}`
  }

  const bodyOf = (visit: Visit, offer: ShownOffer, now: number) => {
    const texts = catalogue[visit.language].waitlist
    const status = offers.statusAt(offer, now)
    const reader = { language: visit.language, timezone: offer.doctor_timezone }
    const when = longPeriod(reader, offer.start_date, offer.end_date)
    const isOver = offer.entry_status === "booked" || offer.entry_status === "ended"
    const button = (action: string, text: string, isMain = false) => (
      <button type="submit" id={action} name="action" value={action} {...(isMain && { class: "primary" })}>
        {text}
      </button>
    )
    const canAccept = !isOver && (status === "offered" || (status === "lapsed" && offer.start_date > now))
    const { title, text } =
      status === "offered"
        ? { title: texts.title, text: "" }
        : status === "accepted"
          ? {
              title: texts.accepted.title,
              text: fill(texts.accepted.text, {
                type: offer.appointment_type_name,
                doctor: offer.doctor_display_name,
                when
              })
            }
          : texts[status]
    const facts = [
      [texts.facts.when, when],
      [texts.facts.what, offer.appointment_type_name],
      [texts.facts.doctor, offer.doctor_display_name],
      ...(status === "offered"
        ? [[offer.hold_uid === null ? texts.facts.first : texts.facts.until, shortTime(reader, offer.expires_at)]]
        : []),
      ...(offer.replaced_start === null ? [] : [[texts.facts.replaces, shortTime(reader, offer.replaced_start)]])
    ]
    return (
      <NoticePage title={title} text={text}>
        {canAccept ? (
          <dl>
            {facts.map(([label, value]) => (
              <div key={label}>
                <dt>{label}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        ) : null}
        {offer.entry_status === "paused" ? <p>{texts.paused}</p> : null}
        {isOver ? null : (
          <form method="post" action={addressOf(visit)} class="actions">
            {canAccept ? button("accept", texts.accept, true) : null}
            {status === "offered" ? button("decline", texts.decline) : null}
            {offer.entry_status === "paused" ? button("go-on", texts.goOn, true) : null}
            {button("leave", texts.leave)}
          </form>
        )}
      </NoticePage>
    )
  }

  const show = Effect.fnUntraced(function* (visit: Visit) {
    const offer = yield* offers.behind(visit.code)
    const host = yield* hosts.ofActionCode(visit.code)
    const { title } = catalogue[visit.language].waitlist
    const body = bodyOf(visit, offer, yield* clock.now)
    return respond.page(visit, host, { title, stage: "waitlist", address: addressOf(visit), body })
  })

  const act = Effect.fnUntraced(function* (visit: Visit) {
    const field = yield* readForm
    const action = field("action")
    // A refusal is shown by the offer's new state on the page
    if (action === "accept") yield* Effect.catchAll(offers.accept(visit.code), refusedUnlessUnknown)
    if (action === "decline") yield* Effect.catchAll(offers.decline(visit.code), refusedUnlessUnknown)
    if (action === "go-on") yield* entries.goOn(visit.code)
    if (action !== "leave") return seeOther(addressOf(visit))
    const host = yield* hosts.ofActionCode(visit.code)
    yield* entries.leave(visit.code)
    const { title, text } = catalogue[visit.language].waitlist.left
    const body = <NoticePage title={title} text={text} />
    return respond.page(visit, host, { title, stage: "waitlist-left", address: addressOf(visit), body })
  })

  const page = pageHandler(respond, "appointment", hosts.ofActionCode)
  return { route: respond.route, show: page(show), act: page(act) }
})

const refusedUnlessUnknown = <E extends { readonly _tag: string }>(error: E) =>
  error._tag === "WaitlistOfferNotFound" ? Effect.fail(error) : Effect.void

export const WaitlistPagesHttp = Routes.use((router) =>
  Effect.gen(function* () {
    const { route, show, act } = yield* makeHandlers
    yield* router.get(route("/waitlist/:code"), show)
    yield* router.post(route("/waitlist/:code"), act)
  })
)
