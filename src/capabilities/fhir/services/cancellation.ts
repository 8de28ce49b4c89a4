/** The patch that cancels an appointment: a JSON Patch, or a FHIRPath Patch. Rule 20.7. */
import { Effect, Option, Predicate, Schema } from "effect"
import { type CancellationCode, isCancellationCode, type Resource } from "./forms.ts"
import { type Json, listOf, recordOf, textOf, wrong } from "./json.ts"
import { refuse } from "./refused.ts"

interface Cancelling {
  readonly code: CancellationCode
  readonly text: string | undefined
}

/** One operation of a JSON Patch. */
const PatchOperation = Schema.Struct({
  op: Schema.Literal("add", "replace", "test"),
  path: Schema.String,
  value: Schema.Unknown
})
const decodePatch = Schema.decodeUnknownOption(Schema.Array(PatchOperation))

/** The value at a JSON pointer; undefined if there is none. */
const valueAt = (resource: unknown, pointer: string): unknown =>
  pointer
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"))
    .reduce<unknown>(
      (value, part) =>
        typeof value === "object" && value !== null && Object.hasOwn(value, part) ? (value as Json)[part] : undefined,
      resource
    )

const concept = (value: unknown) => {
  const code = listOf(recordOf(value).coding)[0]?.code
  if (!isCancellationCode(code))
    return wrong("Appointment.cancelationReason", "must be a code of the value set ISiKTerminCancelationReason")
  const reason: Partial<Cancelling> = { code, text: textOf(recordOf(value).text) }
  return Effect.succeed(reason)
}

/** The path of an element in FHIRPath, such as `Appointment.cancelationReason.text`, as a JSON pointer. */
const pointerOf = (path: string) => {
  if (!/^Appointment(\.[A-Za-z]+(\[\d+\])?)*$/.test(path))
    return refuse(422, "not-supported", `${path.slice(0, 128)}: only paths of names below Appointment are supported`)
  return Effect.succeed(path.slice("Appointment".length).replaceAll(/[.[]/g, "/").replaceAll("]", ""))
}

/** The operations of a FHIRPath Patch, as those of a JSON Patch. */
const operationsIn = (parameters: Json) =>
  Effect.forEach(
    listOf(parameters.parameter),
    Effect.fnUntraced(function* ({ name, part }) {
      if (name !== "operation")
        return yield* refuse(400, "structure", "Parameters.parameter: each must be an operation")
      const parts = new Map(
        listOf(part).map((one) => [
          String(one.name),
          Object.entries(one).find(([key]) => key.startsWith("value"))?.[1] ?? null
        ])
      )
      const at = yield* pointerOf(String(parts.get("path")))
      const added = parts.has("name") ? `/${String(parts.get("name"))}` : ""
      return { op: parts.get("type"), path: at + added, value: parts.get("value") }
    })
  )

/** Elements that only a booking changes. */
const BOOKED = /^\/(slot|start|end|participant)(\/|$)/

/** The cancellation in a JSON Patch, or in a FHIRPath Patch; tests are checked against the resource as it is. */
export const cancellationIn = Effect.fnUntraced(function* (patch: unknown, current: Resource) {
  const operations = decodePatch(Predicate.isRecord(patch) ? yield* operationsIn(patch) : patch)
  if (Option.isNone(operations) || operations.value.length === 0 || operations.value.length > 20)
    return yield* refuse(
      400,
      "structure",
      "The body must be a JSON Patch or a FHIRPath Patch with add, replace and test"
    )
  let isCancelled = false
  let reason: Partial<Cancelling> = {}
  for (const { op, path, value } of operations.value) {
    if (op === "test") {
      if (!Bun.deepEquals(valueAt(current, path), value))
        return yield* refuse(422, "processing", `test: ${path} has another value`)
    } else if (path === "/status") {
      if (value !== "cancelled")
        return yield* refuse(
          422,
          "not-supported",
          "Appointment.status: can be changed to cancelled alone",
          "Appointment.status"
        )
      isCancelled = true
    } else if (path === "/cancelationReason") reason = yield* concept(value)
    else if (path === "/cancelationReason/text" && typeof value === "string") reason = { ...reason, text: value }
    else if (BOOKED.test(path))
      return yield* refuse(400, "business-rule", `${path.slice(0, 128)}: is changed by $book alone`)
    else return yield* refuse(422, "not-supported", `${path.slice(0, 128)}: cannot be changed`)
  }
  if (!isCancelled)
    return yield* refuse(422, "not-supported", "A patch cancels: it sets the status to cancelled", "Appointment.status")
  const cancelling: Cancelling = { code: reason.code ?? "other", text: reason.text }
  return cancelling
})
