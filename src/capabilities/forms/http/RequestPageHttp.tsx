/** `{meetings_url}/request/{code}`: where the patient reads what became of a request. Rule 22.5.6. */
import { Effect } from "effect"
import { pageHandler } from "../../../http/hosted/serving/pageHandler.ts"
import { Respond } from "../../../http/hosted/serving/Respond.tsx"
import { queryText, type Visit } from "../../../http/hosted/serving/visit.ts"
import { type Router, Routes } from "../../../http/inRequest.ts"
import { ContactPractice } from "../../../pages/views/ContactPractice.tsx"
import { NoticePage } from "../../../pages/views/NoticePage.tsx"
import { PageHosts } from "../../../services/hosted/PageHosts.ts"
import { textIn } from "../services/engine.ts"
import { Requests } from "../services/Requests.ts"
import { questionTexts } from "../texts/questions.ts"

const serve = Effect.fnUntraced(function* (router: Router) {
  const requests = yield* Requests
  const hosts = yield* PageHosts
  const respond = yield* Respond

  const show = Effect.fnUntraced(function* (visit: Visit) {
    const { status, outcome, answer, type_name } = yield* requests.behind(visit.code)
    const host = yield* hosts.ofCode(visit.code)
    const texts = questionTexts(visit.language).request
    const text = outcome !== null ? texts[outcome] : status === "answered" ? texts.answered : texts.open
    return respond.page(visit, host, {
      title: texts.title,
      stage: "request",
      address: `${respond.prefix}/request/${encodeURIComponent(visit.code)}${queryText(visit.kept)}`,
      body: (
        <NoticePage title={textIn(type_name, visit.language, "de")} text={text}>
          {answer === null ? null : <p class="notice lines">{answer}</p>}
          <ContactPractice />
        </NoticePage>
      )
    })
  })

  yield* router.get(respond.route("/request/:code"), pageHandler(respond, "appointment", hosts.ofCode)(show))
})

export const RequestPageHttp = Routes.use(serve)
