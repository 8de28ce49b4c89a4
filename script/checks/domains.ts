import { importsOf, type SourceFile } from "./imports.ts"

/** The domains that each domain of src/services may import, besides the shared ones. */
const ALLOWED: Readonly<Record<string, ReadonlyArray<string>>> = {
  checkout: ["prescriptions", "pharmacy"],
  scheduling: ["meetings"],
  notifications: ["events"],
  // The pages without a partner use several domains
  hosted: ["scheduling", "notifications"],
  // Operators' tasks work on every domain
  operation: ["access", "scheduling", "prescriptions", "pharmacy", "checkout", "meetings", "events", "notifications"]
}

/** Shared packages, which depend on no domain; likewise the files beside the folders. */
const SHARED: ReadonlySet<string> = new Set(["database", "tenancy", "sealing", "queue"])

/** All domains append events; only `events` processes them. */
/** What a capability may do in each domain has the types of that domain. */
const PORT_OF_ALL = "src/services/Extensions.ts"

const FOR_EVERY_DOMAIN = /^src\/services\/((access|audit|patients)\/|events\/EventLog\.ts$)/

/** Known exceptions. A pair is removed from this list with its last import. */
const STILL_THERE: ReadonlySet<string> = new Set()

/** The folder below src/services; `shared` for the shared packages, undefined outside of the services. */
const domainOf = (path: string) => {
  const [, folder, file] = /^src\/services\/(?:([^/]+)\/)?([^/]+)/.exec(path) ?? []
  if (file === undefined) return undefined
  return folder === undefined || SHARED.has(folder) ? "shared" : folder
}

/** Imports between domains of the services against the direction of domains. */
export const domainFaults = (
  files: ReadonlyArray<SourceFile>,
  exceptions: ReadonlySet<string> = STILL_THERE
): ReadonlyArray<string> => {
  const refused = files.flatMap((file) => {
    const from = domainOf(file.path)
    return importsOf(file).flatMap((target) => {
      const to = domainOf(target)
      const fine =
        file.path === PORT_OF_ALL ||
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
