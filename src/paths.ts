/**
 * Paths of the package's files. The service runs from `src`, or bundled from `dist` (`bun run build`): both are one level
 * below the root, and `import.meta.dir` of a bundled module is the bundle's folder.
 */
import { join } from "node:path"

/** The folder of `package.json`, `node_modules` and `dist`. */
export const ROOT = join(import.meta.dir, "..")

const IS_BUNDLED = import.meta.dir === join(ROOT, "dist")

/** A file of an installed package; throws if the package is not installed. */
export const packageFile = (specifier: string): string => Bun.resolveSync(specifier, ROOT)

/** The script of a worker, by its path below `src` without extension. */
export const workerFile = (path: string): string =>
  IS_BUNDLED ? join(ROOT, "dist", `${path}.js`) : join(ROOT, "src", `${path}.ts`)
