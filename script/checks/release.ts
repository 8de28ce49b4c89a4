/** What a release changes in the tree: pure functions over the texts of files. docs/releasing.md */

export interface Tree {
  /** Text by path. */
  readonly files: ReadonlyMap<string, string>
  /** Names of all migrations, in order. */
  readonly migrations: ReadonlyArray<string>
}

export interface Release {
  readonly version: string
  /** YYYY-MM-DD */
  readonly date: string
}

const SEMVER = /^(\d+)\.(\d+)\.(\d+)$/
const ordered = (version: string) => (SEMVER.exec(version) ?? []).slice(1).map(Number)

const isLater = (version: string, than: string) => {
  const [one, other] = [ordered(version), ordered(than)]
  const index = one.findIndex((part, at) => part !== other[at])
  return index >= 0 && (one[index] ?? 0) > (other[index] ?? 0)
}

export const RELEASED = "src/layers/migrations/released.txt"

export const releasedIn = (text: string) => text.split("\n").filter((line) => /^[^#\s]/.test(line))

/** Every file of a migration: the core's and the capabilities'. */
export const MIGRATIONS = "src/**/migrations/*.sql"

/** The name by which a migration is applied, by its path: `0001_operation`, `video/0001`. */
export const migrationOf = (path: string) =>
  path.replace(/^.*?([^/]+)\/migrations\/([^/]+)\.sql$/, (_, owner, name) =>
    owner === "layers" ? name : `${owner}/${name}`
  )

const versionOf = ({ files }: Tree) => /"version": "([^"]+)"/.exec(files.get("package.json") ?? "")?.[1] ?? ""

const unreleased = (changelog: string) =>
  /^## Unreleased\n([\s\S]*?)(?=^## |$(?![\s\S]))/m.exec(changelog)?.[1]?.trim() ?? ""

/** Why this version cannot be released from this tree. */
export const releaseFaults = (tree: Tree, { version }: Release): ReadonlyArray<string> => {
  const current = versionOf(tree)
  const released = releasedIn(tree.files.get(RELEASED) ?? "")
  return [
    ...(SEMVER.test(version) ? [] : [`${version} is no version: MAJOR.MINOR.PATCH`]),
    ...(SEMVER.test(version) && !isLater(version, current) ? [`${version} is not later than ${current}`] : []),
    ...(unreleased(tree.files.get("CHANGELOG.md") ?? "") === "" ? ["CHANGELOG.md has nothing under Unreleased"] : []),
    ...released.filter((name) => !tree.migrations.includes(name)).map((name) => `${name} is released, and missing`)
  ]
}

/** The changed files of a release. */
export const releaseChanges = (tree: Tree, { version, date }: Release): ReadonlyMap<string, string> => {
  const released = tree.files.get(RELEASED) ?? ""
  const added = tree.migrations.filter((name) => !releasedIn(released).includes(name))
  const changed = [...tree.files].map(([path, text]): readonly [string, string] => {
    if (path.endsWith("package.json")) return [path, text.replace(/"version": "[^"]+"/, `"version": "${version}"`)]
    if (path === "CHANGELOG.md")
      return [path, text.replace(/^## Unreleased\n/m, `## Unreleased\n\n## ${version} - ${date}\n`)]
    if (path === RELEASED) return [path, `${text.trimEnd()}\n${added.map((name) => `${name}\n`).join("")}`]
    if (path.endsWith("Chart.yaml")) return [path, text.replace(/^((?:appV|v)ersion: "?)[\d.]+/gm, `$1${version}`)]
    if (path === "publiccode.yml") return [path, text.replace(/^(softwareVersion: )\S+/m, `$1${version}`)]
    if (path.endsWith("values.yaml")) return [path, text.replace(/^( {2}tag: )"[^"]+"/m, `$1"${version}"`)]
    return [path, text.replace(/(image: "?sprechstunde:)\d+\.\d+\.\d+/g, `$1${version}`)]
  })
  return new Map(changed.filter(([path, text]) => text !== tree.files.get(path)))
}
