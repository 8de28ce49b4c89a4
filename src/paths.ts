/**
 * Paths of the package's files. The service runs from `src`, or bundled from `dist` (`bun run build`): both are one level
 * below the root. In a bundle, which may be moved with its packages, `import.meta.dir` is the bundle's folder: `script/build.ts` sees to it.
 */
import { join } from "node:path"

/** This file's folder, or that of a bundle: of the service, or of a worker in a folder of its own. */
const [, root = "", folder] = /^(.*)\/(src|dist)(?:\/.*)?$/.exec(import.meta.dir) ?? []

/** The folder of `package.json`, `node_modules` and `dist`. */
export const ROOT = root === "" ? "/" : root

const IS_BUNDLED = folder === "dist"

/** A file of an installed package; throws if the package is not installed. */
export const packageFile = (specifier: string): string => Bun.resolveSync(specifier, ROOT)

/** The script of a worker, by its path below `src` without extension. */
export const workerFile = (path: string): string =>
  IS_BUNDLED ? join(ROOT, "dist", `${path}.js`) : join(ROOT, "src", `${path}.ts`)
