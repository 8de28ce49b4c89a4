import type { ConsoleTexts } from "../../../texts/console/catalogue.ts"

export const doctorLinks = ({ doctor: { pages } }: ConsoleTexts) =>
  [["/console/doctor", pages.today]] as ReadonlyArray<readonly [string, string]>
