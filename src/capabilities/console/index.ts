/** The console: pages for doctors, practices, pharmacies and operators, and their sign-in by browser. Section 17. */
import { capability } from "../../capability.ts"
import { ConsoleHttp } from "./http/ConsoleHttp.ts"

export const consoleCapability = capability({ name: "console", http: ConsoleHttp })
