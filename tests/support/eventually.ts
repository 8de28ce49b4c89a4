/** Polls until the result is as expected: tests wait for a condition, never for a fixed time. */
export const eventually = async <A>(
  ask: () => Promise<A>,
  wanted: (answer: A) => boolean,
  seconds = 60
): Promise<A> => {
  const until = performance.now() + seconds * 1000
  for (;;) {
    const answer = await ask()
    if (wanted(answer)) return answer
    if (performance.now() > until) throw new Error(`still not so after ${seconds} s: ${JSON.stringify(answer)}`)
    await Bun.sleep(25)
  }
}
