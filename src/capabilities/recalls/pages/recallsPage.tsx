/** The console's page of recalls. */
import { Effect, Schema } from "effect"
import { choicesOf } from "../../shared/http/choices.ts"
import { namesOf } from "../../shared/http/names.ts"
import type { AddedPage } from "../../shared/http/pages.ts"
import { pageOf } from "../../shared/http/query.ts"
import { RecallsApi } from "../http/RecallsApi.ts"
import { Recall } from "../schemas/Recall.ts"
import { deskTextsOf } from "../texts/desk.ts"
import { RecallsPage } from "./RecallPages.tsx"

/** Recalls a page. */
const PAGE_SIZE = 50
const isStatus = Schema.is(Recall.fields.status)

export const recallsPage: AddedPage = {
  path: "recalls",
  entry: { text: (language) => deskTextsOf(language).title, under: "/console/practice/patients" },
  hiddenFrom: ["billing", "read_only"],
  show: Effect.fn("console.recalls")(function* (visitor) {
    const { clientOf, query, language } = visitor
    const api = yield* clientOf(RecallsApi)
    const { zone, ...choices } = yield* choicesOf(visitor)
    const page = pageOf(query)
    const asked = query.get("status")
    const status = isStatus(asked) ? asked : null
    const { data, totalPages } = yield* api["management.recalls"].list({
      urlParams: { page, limit: PAGE_SIZE, ...(status !== null && { status }) }
    })
    const names = yield* namesOf(visitor, data, choices)
    const { data: weeks } = yield* api["management.recall_statistics"].statistics({ urlParams: {} })
    return {
      title: deskTextsOf(language).title,
      zone,
      body: (
        <RecallsPage
          recalls={data}
          status={status}
          page={page}
          pages={totalPages}
          names={names}
          weeks={weeks.toReversed()}
        />
      )
    }
  })
}
