/** Languages of patients' pages and messages beside German and English. Rule 5.5.8. */
import { capability } from "../../capability.ts"
import { languages } from "./texts/added.languages.ts"

export const languagesCapability = capability({ name: "languages", switched: false, languages })
