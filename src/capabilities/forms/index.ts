/** Known while it is off, too. */
import { installed } from "../../capability.ts"
import { restricted } from "../shared/services/retentionRules.ts"
import type { manifest } from "./manifest.ts"
import forms from "./migrations/0001.sql" with { type: "text" }
import { keptForms } from "./schemas/keptForms.ts"

export const formsCapability = installed({
  name: "forms",
  setting: ({ clamavUrl }) => (clamavUrl === undefined ? null : "CLAMAV_URL"),
  migrations: [{ name: "forms/0001", text: forms }],
  retention: [
    { table: "form_responses", since: "updated_at", after: { name: "forms", ...keptForms }, unless: restricted },
    { table: "requests", since: "updated_at", after: { name: "forms", ...keptForms }, unless: restricted },
    {
      table: "form_files",
      since: "updated_at",
      after: { name: "forms", ...keptForms },
      unless: `r.status = 'expired' OR ${restricted}`,
      set: "status = 'expired', scan_after = updated_at" // the task deletes the content first
    }
  ],
  keptRecords: ["form_responses", "form_files", "requests"],
  manifest: (): typeof manifest => require("./manifest.ts").manifest
})
