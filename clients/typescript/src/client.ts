// SPDX-License-Identifier: Apache-2.0
/** Makes the methods of a client from a table of operations. */
import { type Answer, Call, ListCall } from "./Call.ts"
import type { Operations } from "./generated/operations.ts"
import type { Operation } from "./operation.ts"
import { type CallOptions, type Credentials, type Input, type Settings, send } from "./send.ts"

type IsOptional<T> = Record<never, never> extends T ? true : false
type Arguments<I> = IsOptional<I> extends true ? [input?: I, options?: CallOptions] : [input: I, options?: CallOptions]
type ResultOf<O extends Operations[keyof Operations]> = [O["item"]] extends [never]
  ? Call<O["result"]>
  : ListCall<O["result"], O["item"]>

/** A method for each of these operations. */
export type Methods<Name extends keyof Operations> = {
  readonly [N in Name]: (...given: Arguments<Operations[N]["input"]>) => ResultOf<Operations[N]>
}

interface Page {
  readonly totalPages?: number
  readonly next?: string | null
}

/** What to ask for after this page; undefined after the last one. */
const following = (list: string, input: Input, page: Page): Input | undefined => {
  if (list !== "page")
    return page.next === null || page.next === undefined ? undefined : { ...input, [list]: page.next }
  const number = Number(input.page ?? 0) + 1
  return number < (page.totalPages ?? 0) ? { ...input, page: number } : undefined
}

/** The methods for a table of operations, which is that of the `Operations` named `Name`. */
export const methodsOf = <Name extends keyof Operations>(
  table: Readonly<Record<Name, Operation>>,
  settings: Settings & Credentials
): Methods<Name> => {
  const methodOf = (name: string, operation: Operation) => {
    const call = (input: Input = {}, options: CallOptions = {}): Call<unknown> => {
      const answer = send(name, operation, input, options, settings)
      const { list } = operation
      return list === undefined ? new Call(answer) : listFrom(answer, list, input, options)
    }
    const listFrom = (
      answer: Promise<Answer<unknown>>,
      list: string,
      input: Input,
      options: CallOptions
    ): ListCall<unknown, unknown> => {
      const pageAfter = (asked: Input) => (page: unknown) => {
        const next = following(list, asked, page as Page) // lists alone come here, and theirs is this envelope
        return next === undefined
          ? undefined
          : listFrom(send(name, operation, next, options, settings), list, next, options)
      }
      return new ListCall(answer, pageAfter(input))
    }
    return call
  }
  const methods = Object.entries<Operation>(table).map(([name, operation]) => [name, methodOf(name, operation)])
  return Object.fromEntries(methods) // each entry is the operation of its name: `Operations` and the table have one source
}
