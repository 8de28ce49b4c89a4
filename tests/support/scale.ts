/** A size of a model, a crowd or a series of kills: the first in `script/test`, the second in `script/test --long`. */
export const sized = (short: number, long: number) => (process.env.TEST_LONG === "true" ? long : short)
