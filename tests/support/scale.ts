/** Whether this is `script/test --long`. */
export const isLong = process.env.TEST_LONG === "true"

/** The size of a model, a crowd or a series of kills: the first in `script/test`, the second in `script/test --long`. */
export const sized = (short: number, long: number) => (isLong ? long : short)

/** All in `script/test --long`; in `script/test` every `step`-th, from the first one on. */
export const someOf = <A>(all: ReadonlyArray<A>, step: number) => all.filter((_, index) => isLong || index % step === 0)
