import { importsOf, type SourceFile } from "./imports.ts"

/** Which domains of src/services a domain may import, beside those that every domain may. */
const ALLOWED: Readonly<Record<string, ReadonlyArray<string>>> = {
  checkout: ["prescriptions", "pharmacy"],
  scheduling: ["meetings"],
  notifications: ["events"],
  // The pages that need no partner lead through several domains
  hosted: ["scheduling", "notifications"],
  // What these do goes through every domain: applying a file, a patient's rights, and an operator's tasks
  provisioning: ["access", "scheduling", "prescriptions", "pharmacy", "checkout", "meetings"],
  patients: ["scheduling", "prescriptions", "pharmacy", "checkout", "events", "notifications"],
  operation: ["access", "scheduling", "prescriptions", "pharmacy", "checkout", "meetings", "events", "notifications"]
}

/** What every domain stands on, and knows none of them, as what stands beside the folders. */
const SHARED: ReadonlySet<string> = new Set(["database", "tenancy", "sealing", "queue"])

/** Events are appended by every domain; what becomes of them is theirs alone. */
const FOR_EVERY_DOMAIN = /^src\/services\/((access|audit)\/|events\/EventLog\.ts$)/

/** Pairs that are still there. A pair leaves this list with its last import. */
const STILL_THERE: ReadonlySet<string> = new Set()

/** The folder below src/services; `shared` for what every domain stands on, and undefined outside of the services. */
const domainOf = (path: string) => {
  const [, folder, file] = /^src\/services\/(?:([^/]+)\/)?([^/]+)/.exec(path) ?? []
  if (file === undefined) return undefined
  return folder === undefined || SHARED.has(folder) ? "shared" : folder
}

/** Imports from one domain of the services to another one that the direction of domains does not allow. */
export const domainFaults = (
  files: ReadonlyArray<SourceFile>,
  exceptions: ReadonlySet<string> = STILL_THERE
): ReadonlyArray<string> => {
  const refused = files.flatMap((file) => {
    const from = domainOf(file.path)
    return importsOf(file).flatMap((target) => {
      const to = domainOf(target)
      const fine =
        from === undefined ||
        to === undefined ||
        from === to ||
        to === "shared" ||
        (from !== "shared" && FOR_EVERY_DOMAIN.test(target)) ||
        ALLOWED[from]?.includes(to)
      return fine ? [] : [{ pair: `${from} → ${to}`, path: file.path, target }]
    })
  })
  return [
    ...refused
      .filter(({ pair }) => !exceptions.has(pair))
      .map(({ pair, path, target }) => `${path} imports ${target}: ${pair} is no allowed direction of domains`),
    ...[...exceptions]
      .filter((pair) => !refused.some((one) => one.pair === pair))
      .map((pair) => `${pair} is gone: remove it from STILL_THERE in script/checks/domains.ts`)
  ]
}
