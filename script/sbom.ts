/**
 * `bun run sbom > sbom.cdx.json`: the contents of the image besides Bun, as a CycloneDX 1.6 SBOM. Names, versions,
 * hashes and dependencies come from bun.lock, licences from the installed packages. The output is reproducible from the
 * lock file.
 */
import { existsSync, readFileSync } from "node:fs"
import { Enums, Models, Serialize, SPDX, Spec } from "@cyclonedx/cyclonedx-library"
import { Schema } from "effect"

const Names = Schema.optionalWith(Schema.Record({ key: Schema.String, value: Schema.String }), { default: () => ({}) })
const Needs = Schema.Struct({
  dependencies: Names,
  peerDependencies: Names,
  optionalPeers: Schema.optionalWith(Schema.Array(Schema.String), { default: () => [] })
})
const Lock = Schema.Struct({
  workspaces: Schema.Struct({ "": Needs }),
  /** By path: `a/b` is the `b` that only `a` uses. Resolved name and version, registry, dependencies, integrity. */
  packages: Schema.Record({
    key: Schema.String,
    value: Schema.Tuple(Schema.String, Schema.String, Needs, Schema.String)
  })
})
const Manifest = Schema.Struct({
  name: Schema.String,
  version: Schema.String,
  license: Schema.optional(Schema.String)
})

const readLock = (text: string) => Schema.decodeUnknownSync(Lock)(Bun.JSONC.parse(text))
const readManifest = (text: string) => Schema.decodeUnknownSync(Schema.parseJson(Manifest))(text)

/** The names in a path, outermost first; a scope belongs to its name. */
const namesOf = (place: string) => place.match(/(@[^/]+\/)?[^/]+/g) ?? []
const folderOf = (place: string) =>
  namesOf(place)
    .map((name) => `node_modules/${name}`)
    .join("/")

/** SPDX identifier, SPDX expression, or the package's own text. */
const licenceNamed = (text: string) => {
  if (/ (AND|OR) /.test(text)) return new Models.LicenseExpression(text.replace(/^\((.*)\)$/, "$1"))
  return SPDX.isSupportedSpdxId(text) ? new Models.SpdxLicense(text) : new Models.NamedLicense(text)
}

/** The SBOM for a lock file whose packages are installed in `node_modules`. */
export const billOfMaterials = (lockText: string, manifestText: string) => {
  const lock = readLock(lockText)
  const manifest = readManifest(manifestText)

  /** The path of the package that `name` resolves to from `place`: the innermost one, as in Node. */
  const resolved = (place: string, name: string): string | undefined => {
    const outer = namesOf(place)
    for (let depth = outer.length; depth >= 0; depth--) {
      const candidate = [...outer.slice(0, depth), name].join("/")
      if (candidate in lock.packages) return candidate
    }
    return undefined
  }
  const needsOf = (place: string, { dependencies, peerDependencies, optionalPeers }: typeof Needs.Type) => {
    const requested = [
      ...Object.keys(dependencies),
      ...Object.keys(peerDependencies).filter((name) => !optionalPeers.includes(name))
    ]
    return requested.flatMap((name) => {
      const found = resolved(place, name)
      if (found === undefined) throw new Error(`bun.lock has no ${name}, which ${place || "the service"} needs`)
      return [found]
    })
  }

  const licenceOf = (place: string) => {
    const path = `${folderOf(place)}/package.json`
    return existsSync(path) ? readManifest(readFileSync(path, "utf8")).license : undefined
  }
  const componentOf = (place: string) => {
    const [id, , , integrity] = lock.packages[place] ?? []
    const [, name = "", version = ""] = /^(.+)@([^@]+)$/.exec(id ?? "") ?? []
    const [, group, plain = ""] = /^(?:(@[^/]+)\/)?(.+)$/.exec(name) ?? []
    const purl = `pkg:npm/${group === undefined ? "" : `${encodeURIComponent(group)}/`}${plain}@${version}`
    const component = new Models.Component(Enums.ComponentType.Library, plain, {
      version,
      purl,
      bomRef: `${place}@${version}`
    })
    if (group !== undefined) component.group = group
    const [, sha512] = /^sha512-(.+)$/.exec(integrity ?? "") ?? []
    if (sha512 !== undefined)
      component.hashes.set(Enums.HashAlgorithm["SHA-512"], Buffer.from(sha512, "base64").toString("hex"))
    const licence = licenceOf(place)
    if (licence !== undefined) component.licenses.add(licenceNamed(licence))
    return component
  }

  const service = new Models.Component(Enums.ComponentType.Application, manifest.name, {
    version: manifest.version,
    bomRef: manifest.name
  })
  const components = new Map<string, Models.Component>()
  const visit = (place: string): Models.Component => {
    const known = components.get(place)
    if (known !== undefined) return known
    const component = componentOf(place)
    components.set(place, component)
    const [, , needs] = lock.packages[place] ?? []
    if (needs !== undefined) for (const need of needsOf(place, needs)) component.dependencies.add(visit(need).bomRef)
    return component
  }
  const { dependencies } = lock.workspaces[""]
  for (const need of Object.keys(dependencies)) service.dependencies.add(visit(need).bomRef)

  const bom = new Models.Bom({ metadata: new Models.Metadata({ component: service }) })
  for (const component of components.values()) bom.components.add(component)
  const serializer = new Serialize.JsonSerializer(new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6))
  return serializer.serialize(bom, { sortLists: true, space: 2 })
}

if (import.meta.main)
  console.log(billOfMaterials(readFileSync("bun.lock", "utf8"), readFileSync("package.json", "utf8")))
