/** Texts of the console, which has German and English; who reads another language gets English. */
import type { Language } from "../../../texts/language.ts"
import type { Shape } from "../../../texts/shape.ts"
import { de } from "./de.ts"
import { en } from "./en.ts"

export type ConsoleTexts = Shape<typeof de>

const catalogue: Readonly<Partial<Record<Language, ConsoleTexts>>> = { de, en }

export const consoleTexts = (language: Language): ConsoleTexts => catalogue[language] ?? en

/** Languages that the console has. */
export const consoleLanguages = ["de", "en"] as const satisfies ReadonlyArray<Language>
