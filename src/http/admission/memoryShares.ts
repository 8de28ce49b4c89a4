/** Memory that requests and responses hold at a time. */

/** A name under which bytes are counted together, and their limit. */
export type Share = readonly [name: string, limit: number]

export const makeMemoryShares = () => {
  const taken = new Map<string, number>()
  const takenOf = (name: string) => taken.get(name) ?? 0
  const add = (shares: ReadonlyArray<Share>, bytes: number) => {
    for (const [name] of shares) {
      const now = takenOf(name) + bytes
      if (now > 0) taken.set(name, now)
      else taken.delete(name)
    }
  }
  /** Whether so many more bytes are within the limits. */
  const fits = (shares: ReadonlyArray<Share>, bytes: number) =>
    shares.every(([name, limit]) => takenOf(name) + bytes <= limit)
  return {
    fits,
    add,
    /** Takes so many bytes; false, and nothing is taken, if that exceeds a limit. */
    take: (shares: ReadonlyArray<Share>, bytes: number) => {
      const isWithin = fits(shares, bytes)
      if (isWithin) add(shares, bytes)
      return isWithin
    },
    give: (shares: ReadonlyArray<Share>, bytes: number) => add(shares, -bytes)
  }
}
