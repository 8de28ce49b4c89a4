/** Writes the table of SECURITY.md's section "Calls to other systems" from the limits that the adapters declare. */
import { join } from "node:path"
import { Glob } from "bun"
import { declaredLimits } from "../../src/services/outgoing.ts"

const PAGE = "SECURITY.md"
const HEAD = "| system | seconds | bytes of an answer | open at once | of an organisation | of its address |"

/** The page, and the page as it should be. */
export const outgoingTable = async () => {
  for (const path of [...new Glob("src/**/*.ts").scanSync()].sort())
    if (/\boutgoing\(\{/.test(await Bun.file(path).text())) await import(join("../..", path))
  const number = (value: number) => value.toLocaleString("en")
  const rows = declaredLimits
    .map(({ to, seconds, bytes, atOnce, ofOwner, ofAddress = ofOwner }) => {
      const cells = [
        number(seconds),
        bytes === null ? "not read" : number(bytes),
        ...[atOnce, ofOwner, ofAddress].map(number)
      ]
      return `| ${to} | ${cells.join(" | ")} |`
    })
    .sort()
  const table = `${[HEAD, HEAD.replace(/[^|]+/g, " --- "), ...rows].join("\n")}\n`
  const page = await Bun.file(PAGE).text()
  const start = page.indexOf(HEAD)
  return { page, generated: page.slice(0, start) + table + page.slice(page.indexOf("\n\n", start) + 1) }
}

if (import.meta.main) await Bun.write(PAGE, (await outgoingTable()).generated)
