import type { SourceFile } from "./imports.ts"

/** `Rule 4.4.5`, `Rule 4.4`, `Rules 4.4.5, 4.4.6 and 4.5.1`; a comment may break the line within it. */
const CITATION = /\bRules?[\s*/]+(\d+(?:\.\d+)+(?:(?:,|,? (?:and|or|to)) \d+(?:\.\d+)+)*)/g
/** A paragraph of a specification that is not in the repository. */
const ELSEWHERE = /\bspecification,? §/gi
const NUMBER = /\d+(?:\.\d+)+/g
const DEFINED = /\*\*(\d+(?:\.\d+)+)\*\*|^#+ (\d+(?:\.\d+)*) /gm

const lineAt = (text: string, index: number) => text.slice(0, index).split("\n").length

const definitionsIn = ({ text }: SourceFile) =>
  [...text.matchAll(DEFINED)].flatMap(([, rule, section]) => rule ?? section ?? [])

const citationsIn = ({ path, text }: SourceFile) =>
  [...text.matchAll(CITATION)].flatMap(({ index, 1: numbers = "" }) => {
    const at = `${path}:${lineAt(text, index)}`
    return [...numbers.matchAll(NUMBER)].map(([rule]) => ({ at, rule }))
  })

const foreignIn = ({ path, text }: SourceFile) =>
  [...text.matchAll(ELSEWHERE)].map(
    ({ index }) => `${path}:${lineAt(text, index)}: cite docs/specification, as \`Rule 4.4.5\``
  )

/** Citations of unknown rules or of another specification, and duplicate rule numbers. */
export const ruleFaults = (
  citing: ReadonlyArray<SourceFile>,
  specification: ReadonlyArray<SourceFile>
): ReadonlyArray<string> => {
  const defined = specification.flatMap(definitionsIn)
  const known = new Set(defined)
  const twice = defined.filter((rule, index) => defined.indexOf(rule) !== index)
  return [
    ...twice.map((rule) => `docs/specification: rule ${rule} is there twice`),
    ...citing.flatMap(foreignIn),
    ...[...citing, ...specification]
      .flatMap(citationsIn)
      .filter(({ rule }) => !known.has(rule))
      .map(({ at, rule }) => `${at}: docs/specification has no rule ${rule}`)
  ]
}
