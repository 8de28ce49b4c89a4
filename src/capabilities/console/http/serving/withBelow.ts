import { Effect } from "effect"
import { Fragment, h } from "preact"
import type { InRequest } from "../../../../http/inRequest.ts"
import type { StaffPageContent, StaffPages } from "../../../../http/staff/pages.ts"
import type { Visitor } from "./visitor.ts"

/** The page, and what capabilities have at its end. */
export const withBelow = <E, R>(
  additions: ReadonlyArray<StaffPages>,
  path: string,
  make: (visitor: Visitor) => Effect.Effect<StaffPageContent, E, R>
) => {
  const parts = additions.flatMap(({ below }) => below[path] ?? [])
  return (visitor: Visitor): Effect.Effect<StaffPageContent, unknown, R | InRequest> =>
    Effect.zipWith(
      make(visitor),
      Effect.forEach(parts, (part) => part(visitor)),
      (content, more) => (more.length === 0 ? content : { ...content, body: h(Fragment, null, content.body, ...more) })
    )
}
