/** Forms of the console: each names an operation of the interface, and its fields are the operation's body. Section 17.2. */
import { HttpApiBuilder, type HttpMethod } from "@effect/platform"
import { Effect, Option, Predicate, Schema } from "effect"
import { PageNotFound } from "../../schemas/hosted/errors.ts"
import { Api } from "../Api.ts"
import { endpointsOf } from "../endpoints.ts"
import { seeOther } from "../hosted/serving/pageHandler.ts"
import { at, Console, type Outcome, outcomeOfForm, roomPaths } from "./serving/Console.tsx"
import { bodyOf, type Fields } from "./serving/formFields.ts"
import { Interface } from "./serving/Interface.ts"
import { answerOf, problemIn } from "./serving/refusals.ts"
import { type Room, rooms } from "./serving/session.ts"

const patternOf = (path: string) => new RegExp(`^${path.replaceAll(/:\w+/g, "[^/?]+")}$`)
const operations = endpointsOf(Api).map(({ endpoint }) => ({
  method: endpoint.method,
  pattern: patternOf(endpoint.path),
  payload: Option.getOrElse(endpoint.payloadSchema, () => Schema.Struct({}))
}))

/** The operation of a method and a path, as forms name it: `POST /v1/…`. */
export const operationOf = (text: string) => {
  const [method = "", target = ""] = text.split(" ")
  const [path = ""] = target.split("?")
  return Option.map(
    Option.fromNullable(operations.find((one) => one.method === method && one.pattern.test(path))),
    (operation) => ({ ...operation, target })
  )
}

const HERE = "http://localhost"

/** Only pages of the same room are led back to. The address is written anew, so that nothing but an address is in it. */
const backOf = (room: Room, fields: Fields) => {
  const home = `/console/${roomPaths[room]}`
  const back = URL.parse(fields.get("@back")?.[0] ?? "", HERE)
  const isOurs = back?.origin === HERE && (back.pathname === home || back.pathname.startsWith(`${home}/`))
  return isOurs ? back.pathname + back.search : home
}

const withDone = (address: string) => `${address}${address.includes("?") ? "&" : "?"}done=1`

const shownIn = (answer: unknown, field: string | undefined) =>
  field !== undefined && Predicate.hasProperty(answer, field) ? String(answer[field]) : null

export const PerformHttp = HttpApiBuilder.Router.use((router) =>
  Effect.gen(function* () {
    const { form } = yield* Console
    const { send, page } = yield* Interface

    /** The page of the form anew, with what came of it. */
    const showing = (address: string, outcome: Outcome) => Effect.locally(page(address), outcomeOfForm, outcome)

    const perform = (room: Room) =>
      form(room, (fields) =>
        Effect.gen(function* () {
          const name = fields.get("@operation")?.[0] ?? ""
          const { method, target, payload } = yield* Effect.mapError(operationOf(name), () => new PageNotFound())
          const back = backOf(room, fields)
          const response = yield* send(method as HttpMethod.HttpMethod, target, bodyOf(payload, fields)) // of the contract
          const answer = yield* answerOf(response)
          if (response.status < 300) {
            const shown = shownIn(answer, fields.get("@show")?.[0])
            if (shown === null) return seeOther(withDone(back))
            return yield* showing(back, { status: 200, problem: null, fields: new Map(), shown })
          }
          const problem = problemIn(name, answer)
          return yield* showing(back, { status: response.status, problem, fields, shown: null })
        })
      )

    for (const room of rooms) {
      const home = `/console/${roomPaths[room]}`
      yield* router.post(at(`${roomPaths[room]}/do`), perform(room))
      // a phone that brings back the page of a refused form asks for the form's address
      yield* router.get(at(`${roomPaths[room]}/do`), Effect.succeed(seeOther(home)))
    }
  })
)
