import { catalogue } from "./catalogue.ts"
import type { Language } from "./language.ts"

/** `Europe/Berlin` as people read it. */
export const cityOf = (language: Language, zone: string) => {
  const names: Readonly<Record<string, string>> = catalogue[language].zones
  return names[zone] ?? zone.slice(zone.lastIndexOf("/") + 1).replaceAll("_", " ")
}

/** Zones offered for choosing: those that the catalogue names. */
export const offeredZones: ReadonlyArray<string> = Object.keys(catalogue.de.zones)
