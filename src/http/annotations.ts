/** Annotations of endpoints and groups that more than one part of the service reads. */

import { OpenApi } from "@effect/platform"
import { Context, Option } from "effect"
import { byWord } from "../schemas/byWord.ts"
import type { endpointsOf } from "./endpoints.ts"

export type Declared = Pick<ReturnType<typeof endpointsOf>[number], "group" | "endpoint">

/** Of a group: what its records are called in operation ids, such as `listReminders` and `getReminder` of `Reminder`. */
export class Noun extends Context.Tag("http/Noun")<Noun, string>() {}

/**
 * Of a GET, or of all of a group's that do not say otherwise: `true` if the read is entered into the audit log, otherwise why not. A test
 * fails for one that does not say.
 */
export class Recorded extends Context.Tag("http/Recorded")<Recorded, true | string>() {}

export const recordedOf = ({ group, endpoint }: Declared): true | string | undefined =>
  Option.getOrUndefined(
    Option.orElse(Context.getOption(endpoint.annotations, Recorded), () =>
      Context.getOption(group.annotations, Recorded)
    )
  )

/** The verb of an endpoint's name, where it is another word. */
const verbs = byWord<string>({
  one: "get",
  updateAll: "update",
  remove: "delete",
  reveal: "get",
  provision: "create",
  read: "get"
})
const pluralOf = (noun: string) => (noun.endsWith("y") ? `${noun.slice(0, -1)}ies` : `${noun}s`)

/**
 * An endpoint's operation id, from which generators derive function names: `OpenApi.Identifier`, else a verb and the group's noun.
 */
export const operationIdOf = ({ group, endpoint }: Declared): string => {
  const { name, annotations } = endpoint
  const noun = Option.getOrElse(Context.getOption(group.annotations, Noun), () => "")
  return Option.getOrElse(
    Context.getOption(annotations, OpenApi.Identifier),
    () => (verbs[name] ?? name) + (name === "list" || name === "updateAll" ? pluralOf(noun) : noun)
  )
}
