/** Contrast of colours by WCAG 2.2 (1.4.3), and the shades that pages derive from an accent colour. */

/** `#rrggbb` */
export type Colour = string

const channels = (colour: Colour) =>
  [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16)) as [number, number, number] // three, by the list above

const luminance = (colour: Colour) => {
  const [r, g, b] = channels(colour).map((value) => {
    const share = value / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }) as [number, number, number] // three, as in the input
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

/** 1 to 21; text needs 4.5. */
export const contrast = (one: Colour, other: Colour) => {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number] // two, by the list
  return (light + 0.05) / (dark + 0.05)
}

/** Mixes two colours; `share` is that of the second, 0 to 1. */
export const mixed = (one: Colour, other: Colour, share: number): Colour => {
  const [from, to] = [channels(one), channels(other)]
  return `#${from
    .map((value, index) =>
      Math.round(value + ((to[index] ?? 0) - value) * share)
        .toString(16)
        .padStart(2, "0")
    )
    .join("")}`
}

const WHITE = "#ffffff"
const BLACK = "#000000"
/** The cards in dark mode (`--card` in tokens.css). */
const DARK_CARD = "#162124"

/** The tint behind text in the accent colour. */
const tint = (accent: Colour) => mixed(WHITE, accent, 0.12)

/** Whether text is legible in the colour on white and on its own tint, and in white on the colour. */
export const isLegibleAccent = (accent: Colour) => contrast(accent, tint(accent)) >= 4.5

/** The pages' design tokens for an accent colour: in light mode, and lightened until legible in dark mode. */
export const accentTokens = (accent: Colour) => {
  const shades = Array.from({ length: 21 }, (_, step) => mixed(accent, WHITE, step / 20))
  const light = shades.find((shade) => contrast(shade, DARK_CARD) >= 7) ?? WHITE
  return {
    light: {
      "--accent": accent,
      "--accent-strong": mixed(accent, BLACK, 0.25),
      "--accent-soft": tint(accent),
      "--on-accent": WHITE
    },
    dark: {
      "--accent": light,
      "--accent-strong": mixed(light, WHITE, 0.3),
      "--accent-soft": mixed(DARK_CARD, light, 0.15),
      "--on-accent": mixed(accent, BLACK, 0.8)
    }
  }
}
