/**
 * Migrations after the first release only expand: the previous release's code keeps running on the new schema
 * until every process is replaced. A contracting change waits for the release after that, and is marked.
 */
import { statementsOf } from "../../src/services/database/scripts.ts"
import type { SourceFile } from "./imports.ts"
import { migrationOf } from "./release.ts"

/** A line above the statement: `-- contract: 1.2.0 does not read it`, where 1.2.0 is the previous release. */
const CONTRACT = /^--\s*contract:\s*\d+\.\d+\.\d+ \S/m

const NAME = /(?:IF (?:NOT )?EXISTS\s+)?(?:ONLY\s+)?"?(\w+)"?/.source

const RULES: ReadonlyArray<readonly [forbidden: RegExp, because: string]> = [
  [/^DROP\s+(TABLE|VIEW|FUNCTION|TYPE|TRIGGER|POLICY|ROLE)\b/i, "the previous release uses it"],
  [/^TRUNCATE\b/i, "the previous release uses it"],
  [/^ALTER\s+TABLE[\s\S]*\bDROP\s+(?!CONSTRAINT\b|DEFAULT\b|NOT\b)/i, "the previous release uses the column"],
  [/^ALTER\b[\s\S]*\bRENAME\b/i, "the previous release knows the former name"],
  [/^ALTER\s+TABLE[\s\S]*\bTYPE\b/i, "it rewrites the table under a lock, and prepared statements break"],
  [
    /^ALTER\s+TABLE[\s\S]*\bSET\s+NOT\s+NULL\b/i,
    "the previous release may leave it out; check it by a constraint that is NOT VALID first"
  ],
  [
    /^ALTER\s+TABLE[\s\S]*\bADD\s+(COLUMN\s+)?(?!CONSTRAINT)[\s\S]*\bNOT\s+NULL\b(?![\s\S]*\bDEFAULT\b)/i,
    "the previous release leaves it out; give it a default"
  ],
  [
    /^ALTER\s+TABLE[\s\S]*\bADD\s+CONSTRAINT\b(?![\s\S]*\bNOT\s+VALID\b)(?![\s\S]*\bUSING\s+INDEX\b)/i,
    "it reads the table under a lock: NOT VALID, and VALIDATE in the next file"
  ],
  [/^(CREATE\s+(UNIQUE\s+)?|DROP\s+)INDEX\s+(?!CONCURRENTLY)/i, "it locks the table: CONCURRENTLY"]
]

/** Tables that the file itself creates: changes of these affect nobody. */
const madeIn = (statements: ReadonlyArray<string>) =>
  new Set(statements.flatMap((one) => new RegExp(`^CREATE\\s+TABLE\\s+${NAME}`, "i").exec(one)?.[1] ?? []))

/** The table of a statement. */
const tableOf = (statement: string) =>
  new RegExp(`^(?:ALTER\\s+TABLE|DROP\\s+TABLE|TRUNCATE(?:\\s+TABLE)?|[\\s\\S]*?\\sON)\\s+${NAME}`, "i").exec(
    statement
  )?.[1]

/** Statements in unreleased migrations that would break the previous release. None before the first release. */
export const migrationFaults = (
  files: ReadonlyArray<SourceFile>,
  released: ReadonlyArray<string>
): ReadonlyArray<string> =>
  released.length === 0
    ? []
    : files
        .filter(({ path }) => !released.includes(migrationOf(path)))
        .flatMap(({ path, text }) => {
          const statements = statementsOf(text)
          const made = madeIn(statements)
          if (CONTRACT.test(text)) return []
          return statements
            .filter((statement) => !made.has(tableOf(statement) ?? ""))
            .flatMap((statement) => {
              const rule = RULES.find(([forbidden]) => forbidden.test(statement))
              return rule === undefined ? [] : [`${path}: ${statement.split("\n")[0]}: ${rule[1]}`]
            })
        })

/** Files that `index.ts` does not list under their own names, which are therefore not applied. */
export const unlistedFaults = (
  files: ReadonlyArray<SourceFile>,
  textOf: (path: string) => string
): ReadonlyArray<string> =>
  files.flatMap(({ path }) => {
    const list = path.startsWith("src/layers/")
      ? "src/layers/migrations/index.ts"
      : path.replace(/migrations\/.*$/, "index.ts")
    const text = textOf(list)
    const isListed = text.includes(`/${path.replace(/^.*\//, "")}"`) && text.includes(`name: "${migrationOf(path)}"`)
    return isListed ? [] : [`${path} is not in the list of ${list}, so it is not applied`]
  })
