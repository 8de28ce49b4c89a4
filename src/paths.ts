/**
 * Where the package's files are. The service runs from `src`, or bundled from `dist` (`bun run build`): both lie one level
 * below the root, and a module of the bundle says where the bundle is.
 */
import { join } from "node:path"

/** The folder that holds `package.json`, `node_modules` and `dist`. */
export const ROOT = join(import.meta.dir, "..")

const IS_BUNDLED = import.meta.dir === join(ROOT, "dist")

/** A file of an installed package; throws where the package is not installed. */
export const packageFile = (specifier: string): string => Bun.resolveSync(specifier, ROOT)

/** The script of a worker, by its path below `src` without its ending. */
export const workerFile = (path: string): string =>
  IS_BUNDLED ? join(ROOT, "dist", `${path}.js`) : join(ROOT, "src", `${path}.ts`)
