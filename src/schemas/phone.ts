/** Telephone numbers as people and systems write them. */

const SHORTEST = 3
const LONGEST = 40
/** Arabic and Persian digits; those of other widths and small letters are mapped by NFKC, no-break spaces too. */
const EASTERN_DIGITS = /[\u0660-\u0669\u06f0-\u06f9]/g
const HYPHENS = /[\u2010-\u2015\u2212]/g
/** Marks of direction, which a number copied from a text of the other direction begins or ends with. */
const DIRECTIONS = /[\p{Bidi_Control}\u200b\ufeff]/gu

/** The number with ASCII digits and single spaces; undefined for a text that is none. */
export const phoneOf = (text: string): string | undefined => {
  if (text.length > 4 * LONGEST) return undefined
  const written = text
    .normalize("NFKC")
    .replace(DIRECTIONS, "")
    .replace(EASTERN_DIGITS, (digit) => String(digit.charCodeAt(0) & 0xf))
    .replace(HYPHENS, "-")
    .replace(/\s+/g, " ")
    .trim()
  const isNumber = /^[+(]?[0-9 ()/.-]+$/.test(written) && (written.match(/\d/g) ?? []).length >= SHORTEST
  return isNumber && written.length <= LONGEST ? written : undefined
}
