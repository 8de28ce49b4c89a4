/** Known while it is off, too. */
import { installed } from "../../capability.ts"
import { DAY } from "../../schemas/seconds.ts"
import type { manifest } from "./manifest.ts"
import erasures from "./migrations/0001.sql" with { type: "text" }
import { ERASURE_LIST_DAYS } from "./schemas/erasureList.ts"

export const patientRightsCapability = installed({
  name: "patient-rights",
  migrations: [{ name: "patient-rights/0001", text: erasures }],
  retention: [
    { table: "retained_records", since: "kept_until", after: 0 },
    {
      table: "erasures",
      since: "erased_at",
      after: ERASURE_LIST_DAYS * DAY,
      key: ["organisation_uid", "patient_uid"],
      unless: "r.orders_in_progress > 0"
    }
  ],
  manifest: (): typeof manifest => require("./manifest.ts").manifest
})
