/** `{meetings_url}/recall/{code}`: the page behind the link of a recall. It books, or ends the recall; nothing happens on GET. Rule 3.13.3. */

import { Effect } from "effect"
import { pageHandler, seeOther } from "../../../http/hosted/serving/pageHandler.ts"
import { Respond } from "../../../http/hosted/serving/Respond.tsx"
import { queryText, readForm, type Visit } from "../../../http/hosted/serving/visit.ts"
import { type Router, Routes } from "../../../http/inRequest.ts"
import { ContactPractice } from "../../../pages/views/ContactPractice.tsx"
import { Act } from "../../../pages/views/forms.tsx"
import { NoticePage } from "../../../pages/views/NoticePage.tsx"
import { PageHosts } from "../../../services/hosted/PageHosts.ts"
import { catalogue } from "../../../texts/catalogue.ts"
import { fill } from "../../../texts/fill.ts"
import { inLanguage } from "../../../texts/inLanguage.ts"
import { type OpenedRecall, Recalls } from "../services/Recalls.ts"
import { textsOf } from "../texts/page.ts"

const serve = Effect.fnUntraced(function* (router: Router) {
  const recalls = yield* Recalls
  const hosts = yield* PageHosts
  const respond = yield* Respond

  const addressOf = ({ code, kept }: Visit) => `${respond.prefix}/recall/${encodeURIComponent(code)}${queryText(kept)}`

  /** Why the recall no longer books; null if it does. */
  const endOf = ({ language }: Visit, { status, type_bookable }: OpenedRecall) => {
    const { booking } = catalogue[language]
    const recall = textsOf(language)
    if (status === "booked" || status === "cancelled") return recall[status]
    return type_bookable ? null : { title: booking.typeGone.title, text: booking.typeGone.help }
  }

  const bodyOf = (visit: Visit, recall: OpenedRecall) => {
    const texts = textsOf(visit.language)
    const { name } = inLanguage({ name: recall.type_name, translations: recall.translations }, visit.language)
    const ended = endOf(visit, recall)
    if (ended !== null)
      return (
        <NoticePage {...ended}>
          <ContactPractice />
        </NoticePage>
      )
    return (
      <NoticePage title={texts.title} text={fill(texts.text, { type: name })}>
        {recall.message_text === null ? null : <p class="notice lines">{recall.message_text}</p>}
        <form method="post" action={addressOf(visit)} class="actions">
          <Act does="book" text={texts.book} />
          <Act id="stop" does="stop" look="quiet" text={texts.stop} />
        </form>
      </NoticePage>
    )
  }

  const show = Effect.fnUntraced(function* (visit: Visit) {
    const recall = yield* recalls.behind(visit.code)
    const host = yield* hosts.ofCode(visit.code)
    const title = endOf(visit, recall)?.title ?? textsOf(visit.language).title
    return respond.page(visit, host, { title, stage: "recall", address: addressOf(visit), body: bodyOf(visit, recall) })
  })

  const act = Effect.fnUntraced(function* (visit: Visit) {
    const field = yield* readForm
    if (field("action") === "stop") return yield* Effect.as(recalls.stop(visit.code), seeOther(addressOf(visit)))
    const { booking_launch_code } = yield* recalls.open(visit.code)
    return seeOther(`${respond.prefix}/booking/${booking_launch_code}${queryText(visit.kept)}`)
  })

  const page = pageHandler(respond, "appointment", hosts.ofCode)
  yield* router.get(respond.route("/recall/:code"), page(show))
  yield* router.post(respond.route("/recall/:code"), page(act))
})

export const RecallPagesHttp = Routes.use(serve)
