import { version as current } from "../package.json" with { type: "json" }

/** Replaced in the bundle by `script/build.ts`. */
declare const BUILD_COMMIT: string | undefined

/** The version of this build, from package.json. */
export const version: string = current
/** The commit of which this is the build, twelve digits, with `-modified` after local changes; `source` without a build. */
export const commit: string = typeof BUILD_COMMIT === "undefined" ? "source" : BUILD_COMMIT
/** Both, as in Semantic Versioning. */
export const build = `${version}+${commit}`
