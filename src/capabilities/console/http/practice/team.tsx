/** People of the practice. */
import { Effect } from "effect"
import { TeamPage } from "../../pages/practice/TeamPage.tsx"
import type { Visitor } from "../serving/visitor.ts"

export const team = Effect.fn("console.team")(function* ({ api, consoleApi, staff, texts }: Visitor) {
  const { data } = yield* consoleApi["organisation.staff"].list({ urlParams: {} })
  const { timezone } = yield* api["organisation.settings"].one({})
  return {
    title: texts.team.title,
    zone: timezone,
    live: false,
    body: <TeamPage people={data} self={staff.actor.uid} />
  }
})
