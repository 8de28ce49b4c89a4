/** Console forms: each names an operation of the API, and its fields are the operation's body. Section 17.2. */
import type { HttpApi, HttpMethod } from "@effect/platform"
import { Effect, Either, Option, Schema } from "effect"
import { endpointsOf } from "../../../http/endpoints.ts"
import { seeOther } from "../../../http/hosted/serving/pageHandler.ts"
import { Routes } from "../../../http/inRequest.ts"
import { ServedApi } from "../../../http/ServedApi.ts"
import { PageNotFound } from "../../../schemas/hosted/errors.ts"
import { InProcessApi } from "../../shared/http/InProcessApi.ts"
import { addedStaffPages } from "../../shared/http/pages.ts"
import { withQuery } from "../../shared/http/query.ts"
import { answerOf, fieldIn } from "../../shared/http/refusals.ts"
import { at, Console, FormRefused, withOutcome, withRefusal, workspacePaths } from "./serving/Console.tsx"
import { appointmentOf } from "./serving/done.ts"
import { bodyOf, rearranged, valueIn } from "./serving/formFields.ts"
import { type Workspace, workspaces } from "./serving/session.ts"

const patternOf = (path: string) => new RegExp(`^${path.replaceAll(/:\w+/g, "[^/?]+")}$`)
/** Finds an operation of an API by method and path, as forms name it: `POST /v1/…`. */
export const operationIn = (api: HttpApi.HttpApi.Any) => {
  const operations = endpointsOf(api).map(({ endpoint, group }) => ({
    action: `${group.identifier}.${endpoint.name}`,
    method: endpoint.method,
    pattern: patternOf(endpoint.path),
    payload: Option.getOrElse(endpoint.payloadSchema, () => Schema.Struct({}))
  }))
  return (text: string) => {
    const [method = "", target = ""] = text.split(" ")
    const [path = ""] = target.split("?")
    return Option.map(
      Option.fromNullable(operations.find((one) => one.method === method && one.pattern.test(path))),
      (operation) => ({ ...operation, target })
    )
  }
}

const ORIGIN = "http://localhost"
/** Characters of a return address. Parsing a host name takes time with the square of its length. */
const BACK_MAX = 2_048

/** The redirect target after a form: a page of the same workspace, otherwise its home. Rebuilt from the parsed URL: no open redirect. */
const returnAddressOf = (workspace: Workspace, wanted: string | undefined, uid: string | null) => {
  const home = `/console/${workspacePaths[workspace]}`
  const asked = (wanted ?? "").replace("{uid}", () => encodeURIComponent(uid ?? ""))
  const back = asked.length > BACK_MAX ? null : URL.parse(asked, ORIGIN)
  const isOurs = back?.origin === ORIGIN && (back.pathname === home || back.pathname.startsWith(`${home}/`))
  return isOurs ? back.pathname + back.search : home
}

/** The step after the form's operation that a button names: method, path and, if it has one, its body as JSON. */
const stepIn = (text: string | undefined) => {
  const [, method, target = "", body = ""] = /^(POST|PUT|PATCH) (\S+)(?: (.+))?$/s.exec(text ?? "") ?? []
  if (method === undefined) return null
  const name = `${method} ${target}`
  return { name, method: method as HttpMethod.HttpMethod, target, body: Either.getOrElse(jsonIn(body), () => ({})) } // one of the three
}
const jsonIn = Schema.decodeUnknownEither(Schema.parseJson())

export const PerformHttp = Routes.use((router) =>
  Effect.gen(function* () {
    const { form } = yield* Console
    const operationOf = operationIn(yield* ServedApi)
    const { send, page } = yield* InProcessApi
    const units = Object.assign({}, ...(yield* addedStaffPages).map((one) => one.units))

    const perform = (workspace: Workspace) =>
      form(workspace, (fields) =>
        Effect.gen(function* () {
          const name = fields.get("@operation")?.[0] ?? ""
          const { action, method, target, payload } = yield* Effect.mapError(
            operationOf(name),
            () => new PageNotFound()
          )
          const own = returnAddressOf(workspace, (fields.get("@page") ?? fields.get("@back"))?.[0], null)
          const list = fields.get("@list")?.at(-1)
          if (list !== undefined)
            return yield* new FormRefused({
              address: own,
              status: 200,
              problem: null,
              fields: rearranged(fields, list)
            })
          const then = stepIn(fields.get("@then")?.at(-1))
          const version = fields.get("@version")?.[0]
          const response = yield* send(method as HttpMethod.HttpMethod, target, bodyOf(payload, fields, units), {
            version
          }) // of the contract
          const answer = yield* answerOf(response)
          const back = returnAddressOf(workspace, fields.get("@back")?.[0], fieldIn(answer, "uid"))
          const doneBy = (act: string, answered: unknown, of: string) => {
            const on = appointmentOf(answered, of)
            const address = withQuery(back, "done", act)
            return seeOther(on === "" ? address : withQuery(address, "on", on))
          }
          if (response.status < 300 && then !== null) {
            const step = yield* Effect.mapError(operationOf(then.name), () => new PageNotFound())
            const made = JSON.stringify(then.body).replace('"{uid}"', () => JSON.stringify(fieldIn(answer, "uid")))
            const second = yield* send(then.method, then.target, JSON.parse(made))
            if (second.status < 300) return doneBy(step.action, yield* answerOf(second), then.target)
            return yield* withRefusal(back, then.name, second, new Map())
          }
          if (response.status < 300) {
            const shown = fieldIn(answer, valueIn(fields)("@show"))
            if (shown === null) return doneBy(action, answer, target)
            return yield* withOutcome(page(back), { status: 200, problem: null, shown })
          }
          return yield* withRefusal(own, name, response, fields)
        })
      )

    for (const workspace of workspaces) {
      const home = `/console/${workspacePaths[workspace]}`
      yield* router.post(at(`${workspacePaths[workspace]}/do`), perform(workspace))
      // A phone that restores the page of a rejected form requests the form's address with GET
      yield* router.get(at(`${workspacePaths[workspace]}/do`), Effect.succeed(seeOther(home)))
    }
  })
)
