/** The migrations of the core, in the order in which they are applied. docs/operating.md explains how to add one. */
import type { Migration } from "../../declarations.ts"
import operation from "./0001_operation.sql" with { type: "text" }
import pharmacy from "./0002_pharmacy.sql" with { type: "text" }
import access from "./0003_access.sql" with { type: "text" }
import scheduling from "./0004_scheduling.sql" with { type: "text" }
import events from "./0005_events.sql" with { type: "text" }
import notifications from "./0006_notifications.sql" with { type: "text" }
import prescriptions from "./0007_prescriptions.sql" with { type: "text" }
import checkout from "./0008_checkout.sql" with { type: "text" }
import provisioning from "./0010_provisioning.sql" with { type: "text" }
import tenancy from "./0011_tenancy.sql" with { type: "text" }
import audit from "./0012_audit.sql" with { type: "text" }
import patients from "./0013_patients.sql" with { type: "text" }
import partitions from "./0015_partitions.sql" with { type: "text" }

/** Named like their files. A released migration is never edited. */
export const migrations: ReadonlyArray<Migration> = [
  { name: "0001_operation", text: operation },
  { name: "0002_pharmacy", text: pharmacy },
  { name: "0003_access", text: access },
  { name: "0004_scheduling", text: scheduling },
  { name: "0005_events", text: events },
  { name: "0006_notifications", text: notifications },
  { name: "0007_prescriptions", text: prescriptions },
  { name: "0008_checkout", text: checkout },
  { name: "0010_provisioning", text: provisioning },
  { name: "0011_tenancy", text: tenancy },
  { name: "0012_audit", text: audit },
  { name: "0013_patients", text: patients },
  { name: "0015_partitions", text: partitions }
]
