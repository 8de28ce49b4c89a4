/**
 * `bun script/images.ts pin|check FILE…`: images of Dockerfiles, Compose files and Kubernetes manifests. `pin` appends to
 * each tag its current digest in the registry, with `docker buildx imagetools`; `check` fails for an image without a digest.
 * The service's own image gets a digest when it is pushed: set it in kustomize's `images`.
 */
import { readFileSync, writeFileSync } from "node:fs"

/** Images built from this repository, which come from no other registry. */
const OWN = /^sprechstunde(:|$)/
const NAMED = /^(\s*(?:- )?image(?:Name)?: |FROM )(\S+)/gm
const STAGES = /^FROM \S+ AS (\S+)$/gim
const DIGEST = /@sha256:[0-9a-f]{64}$/

/** Substitutes build arguments of a Dockerfile: `oven/bun:${BUN_VERSION}-slim` has a digest only for a specific version. */
const withArguments = (text: string, image: string) =>
  image.replace(/\$\{(\w+)\}/g, (whole, name) => new RegExp(`^ARG ${name}=(\\S+)$`, "m").exec(text)?.[1] ?? whole)

const foreignImages = (text: string): ReadonlyArray<string> => {
  const stages = new Set([...text.matchAll(STAGES)].map(([, name]) => name))
  const images = [...text.matchAll(NAMED)].map(([, , image = ""]) => image)
  return [...new Set(images)].filter((image) => !OWN.test(image) && !stages.has(image))
}

/** Images without a digest. */
export const unpinned = (text: string) => foreignImages(text).filter((image) => !DIGEST.test(image))

/** The text with the digest after each image's name; `digestOf` queries the registry. */
export const pinned = (text: string, digestOf: (image: string) => string) =>
  unpinned(text).reduce((done, image) => {
    const digest = digestOf(withArguments(text, image))
    if (!DIGEST.test(`@${digest}`)) throw new Error(`${image} has no digest: ${digest}`)
    return done.replaceAll(NAMED, (line, before, found) => (found === image ? `${before}${image}@${digest}` : line))
  }, text)

const requested = (image: string) => {
  const run = Bun.spawnSync(["docker", "buildx", "imagetools", "inspect", image, "--format", "{{.Manifest.Digest}}"])
  if (run.exitCode !== 0) throw new Error(`${image}: ${run.stderr.toString().trim()}`)
  return run.stdout.toString().trim()
}

if (import.meta.main) {
  const [task, ...files] = process.argv.slice(2)
  if ((task !== "pin" && task !== "check") || files.length === 0)
    throw new Error("bun script/images.ts pin|check FILE…")
  for (const file of files) {
    const text = readFileSync(file, "utf8")
    if (task === "pin") writeFileSync(file, pinned(text, requested))
    else for (const image of unpinned(text)) console.error(`${file}: ${image} has no digest`)
    if (task === "check" && unpinned(text).length > 0) process.exitCode = 1
  }
}
