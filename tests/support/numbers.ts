/** Numbers from a seed, so that a failure can be repeated. */
export const numbersFrom = (seed: number) => {
  let state = seed
  return (below: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}
