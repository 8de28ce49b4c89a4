import type { SettingsShape } from "../../../../config.ts"
import { demo } from "../../../shared/services/demo.ts"

/** What the start-up message says of the demo world. */
export const startLines = ({ baseUrl, demoWorld }: SettingsShape): ReadonlyArray<string> =>
  demoWorld
    ? [
        "",
        "  Look at this first",
        `    tour           ${baseUrl}/`,
        `    as a patient   ${baseUrl}/demo/practice`,
        `    as a partner   ${baseUrl}/docs, with the keys below`,
        "",
        "  Demo API keys (public, for this machine only)",
        `    management     ${demo.managementKey}`,
        `    checkout       ${demo.checkoutKey}`,
        `    pharmacy       ${demo.pharmacyKey}`
      ]
    : []
