import { useDesk } from "../../shared/pages/Desk.tsx"
import { type ConsoleTexts, consoleTexts } from "../texts/catalogue.ts"

declare module "../../shared/pages/Desk.tsx" {
  /** Empty lists of the console. */
  interface EmptyLists extends Readonly<Record<keyof ConsoleTexts["empty"], unknown>> {}
}

export const useTexts = () => consoleTexts(useDesk().language)
