/** Generates the tables of event types in docs/events.md and docs/partners/webhooks.md from the catalogue of events. */
import { readFileSync, writeFileSync } from "node:fs"
import { Array as Arr } from "effect"
import "./wholeApi.ts"
import { eventCatalogue } from "../../src/schemas/events/catalogue.ts"

const definitions = Object.values(eventCatalogue)
const code = (words: ReadonlyArray<string>) => words.map((word) => `\`${word}\``).join(", ")

const table = (head: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>) =>
  [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n")

const tables: Readonly<Record<string, string>> = {
  "docs/partners/webhooks.md": table(
    ["type", "`notification_type`", "when", "in `data`"],
    definitions.map(({ type, notification_type, description, data }) => [
      code([type]),
      code(Arr.fromNullable(notification_type)),
      description,
      code(Object.keys(data.fields))
    ])
  ),
  "docs/events.md": table(
    ["type", "owners", "`notification_type`", "credentials"],
    definitions.map(({ type, owners, notification_type, credentials }) => [
      code([type]),
      owners.join(", "),
      code(Arr.fromNullable(notification_type)),
      code(credentials)
    ])
  )
}

const BEGIN = "<!-- made by bun script/generate/events.ts -->"
const END = "<!-- end -->"

/** The documents with their generated tables. */
export const documents = () =>
  Object.entries(tables).map(([path, text]) => {
    const current = readFileSync(path, "utf8")
    const [before = "", rest = ""] = current.split(BEGIN)
    const after = rest.split(END)[1] ?? ""
    return { path, current, wanted: `${before}${BEGIN}\n\n${text}\n\n${END}${after}` }
  })

if (import.meta.main) for (const { path, wanted } of documents()) writeFileSync(path, wanted)
