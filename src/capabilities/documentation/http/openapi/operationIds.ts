/** Operation ids, from which generators derive function names. */
import { OpenApi } from "@effect/platform"
import { Context, Option } from "effect"
import { type Declared, Noun } from "../../../../http/annotations.ts"
import { byWord } from "../../../../schemas/byWord.ts"

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

/** An endpoint's operation id: `OpenApi.Identifier`, else a verb and the group's noun. */
export const operationIdOf = ({ group, endpoint }: Declared): string => {
  const { name, annotations } = endpoint
  const noun = Option.getOrElse(Context.getOption(group.annotations, Noun), () => "")
  return Option.getOrElse(
    Context.getOption(annotations, OpenApi.Identifier),
    () => (verbs[name] ?? name) + (name === "list" || name === "updateAll" ? pluralOf(noun) : noun)
  )
}
