import { apply, type Model, type Operation, type Reply } from "./model.ts"

export interface Done {
  readonly operation: Operation
  readonly reply: Reply
}

/**
 * Finds a sequential order of the operations that explains their responses and leads to a state that
 * `isSo` accepts. Each took place at one of the `moments` (Unix seconds) between the first request and the last response.
 */
export const linearise = (
  model: Model,
  done: ReadonlyArray<Done>,
  moments: ReadonlyArray<number>,
  isSo: (model: Model) => boolean
): Model | undefined => {
  if (done.length === 0) return isSo(model) ? model : undefined
  for (const next of done) {
    const rest = done.filter((other) => other !== next)
    for (const now of moments) {
      const after = apply(model, next.operation, next.reply, now)
      const found = after === undefined ? undefined : linearise(after, rest, moments, isSo)
      if (found !== undefined) return found
    }
  }
  return undefined
}
