import { Effect } from "effect"
import { type ComponentChild, Fragment, h } from "preact"
import type { InRequest } from "../../../../http/inRequest.ts"
import type { StaffPageContent, StaffPages } from "../../../shared/http/pages.ts"
import type { Visitor } from "./visitor.ts"

/** What capabilities have on the page at this path. */
export const additionsAt = (additions: ReadonlyArray<StaffPages>, path: string) => {
  const parts = additions.flatMap(({ below }) => below[path] ?? [])
  return (visitor: Visitor): Effect.Effect<ComponentChild, unknown, InRequest> =>
    Effect.map(
      Effect.forEach(parts, (part) => part(visitor)),
      (more) => h(Fragment, null, ...more)
    )
}

/** The page, and what capabilities have at its end. */
export const withBelow = <E, R>(
  additions: ReadonlyArray<StaffPages>,
  path: string,
  make: (visitor: Visitor) => Effect.Effect<StaffPageContent, E, R>
) => {
  const more = additionsAt(additions, path)
  return (visitor: Visitor): Effect.Effect<StaffPageContent, unknown, R | InRequest> =>
    Effect.zipWith(make(visitor), more(visitor), (content, below) => ({
      ...content,
      body: h(Fragment, null, content.body, below)
    }))
}
