/** Known while it is off, too. */
import { installed } from "../../capability.ts"
import type { manifest } from "./manifest.ts"
import fhir from "./migrations/0001.sql" with { type: "text" }

export const fhirCapability = installed({
  name: "fhir",
  migrations: [{ name: "fhir/0001", text: fhir }],
  manifest: (): typeof manifest => require("./manifest.ts").manifest
})
