/** Pages of the practice's settings and its shops. */
import { Effect } from "effect"
import { pageOf } from "../../../shared/http/query.ts"
import { OrganisationPage } from "../../pages/practice/OrganisationPage.tsx"
import { ShopsPage } from "../../pages/practice/ShopsPage.tsx"
import type { Visitor } from "../serving/visitor.ts"

const SHOPS_PER_PAGE = 20

export const organisation = Effect.fn("console.organisation")(function* ({ api, texts }: Visitor) {
  const found = yield* api["organisation.settings"].one({})
  return {
    title: texts.practice.pages.settings,
    zone: found.timezone,
    live: false,
    body: <OrganisationPage organisation={found} />
  }
})

export const shops = (meetingsUrl: string) =>
  Effect.fn("console.shops")(function* ({ api, query, texts }: Visitor) {
    const page = pageOf(query)
    const { data, totalPages } = yield* api["organisation.shops"].list({ urlParams: { page, limit: SHOPS_PER_PAGE } })
    const organisation = yield* api["organisation.settings"].one({})
    return {
      title: texts.practice.pages.shops,
      live: false,
      body: (
        <ShopsPage organisation={organisation} shops={data} meetingsUrl={meetingsUrl} page={page} pages={totalPages} />
      )
    }
  })
