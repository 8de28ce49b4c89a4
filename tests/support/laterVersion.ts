/** A copy of the sources with the migration that docs/operating.md has as its example: the version after this one. */
import { cpSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { ROOT } from "../../src/paths.ts"

const section = /^## Migrations\n([\s\S]*?)^## /m.exec(readFileSync(join(ROOT, "docs/operating.md"), "utf8"))?.[1] ?? ""
const [, file = ""] = /^For example `([^`]+)`:$/m.exec(section) ?? []
const [, sql = ""] = /^```sql\n([\s\S]*?)^```$/m.exec(section) ?? []
const [, imported = "", listed = ""] = /^```ts\n(.*)\n(.*)\n```$/m.exec(section) ?? []

/** What a build does not read. */
const LEFT_OUT = /^(\.git|\.data|\.tools|node_modules|tests|bench|dist.*)$/

export const laterVersion = (folder: string) => {
  const place = (path: string) => join(folder, path)
  for (const path of readdirSync(ROOT).filter((name) => !LEFT_OUT.test(name)))
    cpSync(join(ROOT, path), place(path), { recursive: true })
  symlinkSync(join(ROOT, "node_modules"), place("node_modules"))
  const edit = (path: string, change: (text: string) => string) =>
    writeFileSync(place(path), change(readFileSync(place(path), "utf8")))
  return {
    /** Path of the migration. */
    file,
    place,
    edit,
    /** The first of its two steps. */
    write: () => writeFileSync(place(file), sql),
    list: () =>
      edit("src/layers/migrations/index.ts", (text) =>
        text.replace(/(^import .*\n)(?!import)/m, `$1${imported}\n`).replace("}\n]", `},\n${listed}\n]`)
      )
  }
}
