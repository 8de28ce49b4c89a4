import { expect } from "bun:test"

const FIRST_PAUSE_MS = 25
/** Pauses grow with the time waited, since each poll costs processor time. */
const LONGEST_PAUSE_MS = 250

/** Polls until the result is as expected: tests wait for a condition, never for a fixed time. */
export const eventually = async <A>(
  ask: () => Promise<A>,
  wanted: (answer: A) => boolean,
  seconds = 60
): Promise<A> => {
  const since = performance.now()
  for (;;) {
    const answer = await ask()
    if (wanted(answer)) return answer
    const waited = performance.now() - since
    if (waited > seconds * 1000) throw new Error(`still not so after ${seconds} s: ${JSON.stringify(answer)}`)
    await Bun.sleep(Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS + waited / 20))
  }
}

/** Waits until there are so many, and no more; without a number until there is one. */
export const arrived = async <A>(
  read: () => ReadonlyArray<A> | Promise<ReadonlyArray<A>>,
  count?: number
): Promise<ReadonlyArray<A>> => {
  const all = await eventually(
    async () => read(),
    ({ length }) => length >= (count ?? 1)
  )
  if (count !== undefined) expect(all).toHaveLength(count)
  return all
}
