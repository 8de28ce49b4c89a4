// SPDX-License-Identifier: Apache-2.0
/** What an answer is beside its body. */
export interface Answer<T> {
  readonly body: T
  readonly status: number
  readonly headers: Headers
  /** The version of the record, for `ifMatch`. */
  readonly etag: string | undefined
  /** Names the request in the service's logs. */
  readonly requestId: string | undefined
  /** Whether it is the answer to an earlier request with the same idempotency key. */
  readonly replayed: boolean
}

/** A request that is under way: awaited, it is the answer's body. */
export class Call<T> implements PromiseLike<T> {
  readonly #answer: Promise<Answer<T>>

  constructor(answer: Promise<Answer<T>>) {
    this.#answer = answer
  }

  /** The answer with its headers. */
  answer(): Promise<Answer<T>> {
    return this.#answer
  }

  // biome-ignore lint/suspicious/noThenProperty: that it can be awaited is its purpose
  then<A = T, B = never>(
    fulfilled?: ((body: T) => A | PromiseLike<A>) | null,
    rejected?: ((reason: unknown) => B | PromiseLike<B>) | null
  ): Promise<A | B> {
    return this.#answer.then(({ body }) => body).then(fulfilled, rejected)
  }

  catch<B>(rejected: (reason: unknown) => B | PromiseLike<B>): Promise<T | B> {
    return this.then(null, rejected)
  }

  finally(settled: () => void): Promise<T> {
    return this.then().finally(settled)
  }
}

/** A list: awaited, it is one page; iterated, it is the records of this page and of all that follow. */
export class ListCall<T, Item> extends Call<T> implements AsyncIterable<Item> {
  readonly #following: (page: T) => ListCall<T, Item> | undefined

  constructor(answer: Promise<Answer<T>>, following: (page: T) => ListCall<T, Item> | undefined) {
    super(answer)
    this.#following = following
  }

  /** The pages from this one on. */
  async *pages(): AsyncGenerator<T, void, undefined> {
    let call: ListCall<T, Item> | undefined = this
    while (call !== undefined) {
      const page: T = await call
      yield page
      call = call.#following(page)
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const page of this.pages()) yield* (page as { readonly data: ReadonlyArray<Item> }).data
  }

  /** All records from this page on, or the first `most` of them. */
  async all(most = Number.POSITIVE_INFINITY): Promise<Array<Item>> {
    const items: Array<Item> = []
    if (most <= 0) return items
    for await (const item of this) {
      items.push(item)
      if (items.length >= most) break
    }
    return items
  }
}
