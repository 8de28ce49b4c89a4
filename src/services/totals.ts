/** Totals of paginated lists. */
import { Effect } from "effect"
import type { Page } from "../schemas/paging.ts"

/** Rows in all pages: follows from a page that is the last one, else `count` is asked. */
export const totalOf = <E, R>({ page, limit }: Page, rows: number, count: Effect.Effect<number, E, R>) =>
  rows < limit && (rows > 0 || page === 0) ? Effect.succeed(page * limit + rows) : count
