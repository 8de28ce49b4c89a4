/** The pool of connections, and how PostgreSQL's types arrive: instants as Unix seconds, int8 as numbers, dates as text. */
import { PgClient } from "@effect/sql-pg"
import { Effect, Layer, Schedule } from "effect"
import { types } from "pg"
import { Settings } from "../config.ts"
import { DatabaseUrl } from "./Database.ts"

const parsers: ReadonlyMap<number, (text: string) => unknown> = new Map<number, (text: string) => unknown>([
  [types.builtins.TIMESTAMPTZ, (text) => secondsOf(text)],
  [types.builtins.INT8, Number],
  [types.builtins.DATE, (text) => text],
  [types.builtins.NUMERIC, (text) => text]
])

/** `2026-03-15 10:00:00+01` in whole Unix seconds. */
const secondsOf = (text: string): number => Math.floor(Date.parse(isoOf(text)) / 1000)
const isoOf = (text: string) => text.replace(" ", "T").replace(/([+-]\d\d)$/, "$1:00")

const custom = {
  getTypeParser: (oid: number, format?: "text" | "binary") => parsers.get(oid) ?? types.getTypeParser(oid, format)
}

export const SqlLive = Layer.unwrapEffect(
  Effect.gen(function* () {
    const url = yield* DatabaseUrl
    const { databasePoolSize } = yield* Settings
    return PgClient.layer({
      url,
      maxConnections: databasePoolSize,
      connectTimeout: "10 seconds",
      idleTimeout: "60 seconds",
      applicationName: "sprechstunde",
      // The adapter to pg, which declares its parsers more loosely than it calls them.
      types: custom as never
    })
  })
).pipe(Layer.retry(Schedule.spaced("500 millis").pipe(Schedule.intersect(Schedule.recurs(20)))))
