/** Words of capabilities in the core, which has none: not in SQL, a type or a text. */
import type { SourceFile } from "./imports.ts"

/** By the capability's folder. One that is not listed is not separated from the core yet. */
const WORDS: Readonly<Record<string, RegExp>> = {
  recalls: /recall/i,
  // "cluster" alone: a data directory of PostgreSQL
  cluster: /citus|\ba cluster|cluster'?_|isCluster|distribut|rebalanc/i
}

/** Words of the trade that mean something else. */
const OTHERWISE = /getRecall|listRecalls|`Recall`/g

export const wordFaults = (files: ReadonlyArray<SourceFile>): ReadonlyArray<string> =>
  files
    .filter(({ path }) => /^src\/.*\.(tsx?|sql|css)$/.test(path) && !path.startsWith("src/capabilities/"))
    .flatMap(({ path, text }) =>
      text
        .replaceAll(OTHERWISE, "")
        .split("\n")
        .flatMap((line, index) =>
          Object.entries(WORDS).flatMap(([name, word]) =>
            word.test(line)
              ? [`${path}:${index + 1}: a word of the capability ${name}: ${line.trim().slice(0, 80)}`]
              : []
          )
        )
    )
