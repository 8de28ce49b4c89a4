import type { SourceFile } from "./imports.ts"

const TIMELESS = /^src\/(schemas|services|jobs)\//
const OTHER_CLOCKS: ReadonlyArray<RegExp> = [
  /\bnow\s*\(\s*\)/i, // SQL's; also `Date.now()`
  /\b(clock_timestamp|statement_timestamp|transaction_timestamp)\b/i,
  /\bcurrent_(timestamp|date|time)\b/i,
  /\blocaltime(stamp)?\b/i,
  /\bnew Date\(\s*\)/
]
// Lines that use real time, whatever the sandbox clock (token lifetimes, webhook signatures), must be marked
const REAL_TIME = "real time:"

const isComment = (line: string) => /^\s*(\*|\/\*|\/\/|--)/.test(line)

const clockFaults = ({ path, text }: SourceFile) =>
  TIMELESS.test(path)
    ? text
        .split("\n")
        .flatMap((line, index) =>
          !isComment(line) && !line.includes(REAL_TIME) && OTHER_CLOCKS.some((clock) => clock.test(line))
            ? [`${path}:${index + 1}: domain time comes from DomainClock alone: ${line.trim()}`]
            : []
        )
    : []

/** Requests and jobs access other tenants only through named database functions: reading all of their rows is for operators. */
const OPERATORS =
  /^src\/(cli|(capabilities\/[^/]+\/)?http\/operator)\/|^src\/(capabilities\/provisioning\/services\/atStart|services\/tenancy\/Tenancy|capabilities\/console\/services\/DemoPeople)\.ts$/
const tenantFaults = ({ path, text }: SourceFile) =>
  path.startsWith("src/") && !OPERATORS.test(path) && /\bacrossTenants\b/.test(text)
    ? [`${path}: acrossTenants is for the operator's requests and commands alone`]
    : []

/** Words of others index tables that inherit nothing: `constructor` is in every other object. */
const INHERITING: ReadonlyArray<readonly [RegExp, string]> = [
  [/^(?:export )?const \w+: (?:Readonly<)?Record<string, .*> = (?:\{.|\{$|Object\.fromEntries)/, "is made by byWord"],
  [/^(?!.*(?:"|`|\bfor \(|\[\w+ in )).*[\w)\]] in [a-z(]/, "is asked by Object.hasOwn"]
]
const BROWSER = /^src\/(capabilities\/[^/]+\/)?pages\//
const inheritingFaults = ({ path, text }: SourceFile) =>
  path.startsWith("src/") && !BROWSER.test(path)
    ? text
        .split("\n")
        .flatMap((line, index) =>
          isComment(line) || isComment(line.trim())
            ? []
            : INHERITING.flatMap(([form, what]) =>
                form.test(line.replace(/\/\/.*/, ""))
                  ? [`${path}:${index + 1}: a table by words ${what}: ${line.trim()}`]
                  : []
              )
        )
    : []

/** A time-out of Effect has no effect below what is uninterruptible, as all requests but GET are. */
const TIMEOUTS = /\bEffect\.timeout\w*|\bStream\.timeout\w*|\bAbortSignal\.timeout\b|\.pipe\(timeout/
const timeoutFaults = ({ path, text }: SourceFile) =>
  path.startsWith("src/") && !BROWSER.test(path)
    ? text
        .split("\n")
        .flatMap((line, index) =>
          !isComment(line) && TIMEOUTS.test(line)
            ? [`${path}:${index + 1}: time-outs come from services/outgoing.ts alone: ${line.trim()}`]
            : []
        )
    : []

/** Other clocks, tables that inherit, time-outs without effect, and access to rows of all tenants. */
export const sourceFaults = (files: ReadonlyArray<SourceFile>): ReadonlyArray<string> =>
  files.flatMap((file) => [
    ...clockFaults(file),
    ...inheritingFaults(file),
    ...timeoutFaults(file),
    ...tenantFaults(file)
  ])
