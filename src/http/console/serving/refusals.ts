import { HttpServerResponse } from "@effect/platform"
import { Effect, Option, Schema } from "effect"
import type { Problem } from "../../../pages/console/Desk.tsx"

const Refusal = Schema.Struct({ code: Schema.String, error: Schema.Union(Schema.String, Schema.Array(Schema.String)) })

/** The problem that the API reported for an operation. */
export const problemIn = (operation: string, answer: unknown): Problem =>
  Option.match(Schema.decodeUnknownOption(Refusal)(answer), {
    onNone: () => ({ operation, code: "unknown", details: [] }),
    onSome: ({ code, error }) => ({ operation, code, details: typeof error === "string" ? [error] : error })
  })

/** The JSON body of a response; an empty body is an empty object. */
export const answerOf = (response: HttpServerResponse.HttpServerResponse) =>
  Effect.map(
    Effect.promise(() => HttpServerResponse.toWeb(response).text()),
    (text): unknown => (text === "" ? {} : JSON.parse(text))
  )
