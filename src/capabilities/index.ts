/** Every capability, in the order in which they take part in the core's work. Deleting one is deleting its folder, its tests' and its line. */

import { absencesCapability } from "./absences/index.ts"
import { appointmentPageCapability } from "./appointment-page/index.ts"
import { auditCapability } from "./audit/index.ts"
import { bulkMovesCapability } from "./bulk-moves/index.ts"
import { calendarsCapability } from "./calendars/index.ts"
import { clusterCapability } from "./cluster/index.ts"
import { consoleCapability } from "./console/index.ts"
import { developmentIssuerCapability } from "./development-issuer/index.ts"
import { documentationCapability } from "./documentation/index.ts"
import { embeddedShopCapability } from "./embedded-shop/index.ts"
import { fhirCapability } from "./fhir/index.ts"
import { formsCapability } from "./forms/index.ts"
import { holidaysCapability } from "./holidays/index.ts"
import { importsCapability } from "./imports/index.ts"
import { keyRotationCapability } from "./key-rotation/index.ts"
import { languagesCapability } from "./languages/index.ts"
import { mollieCapability } from "./mollie/index.ts"
import { operatorCommandsCapability } from "./operator-commands/index.ts"
import { patientRightsCapability } from "./patient-rights/index.ts"
import { postgresCapability } from "./postgres/index.ts"
import { practiceRecordsCapability } from "./practice-records/index.ts"
import { processReportsCapability } from "./process-reports/index.ts"
import { provisioningCapability } from "./provisioning/index.ts"
import { publicBookingCapability } from "./public-booking/index.ts"
import { recallsCapability } from "./recalls/index.ts"
import { recordCommandsCapability } from "./record-commands/index.ts"
import { requestLogCapability } from "./request-log/index.ts"
import { retentionCapability } from "./retention/index.ts"
import { s3Capability } from "./s3/index.ts"
import { sandboxCapability } from "./sandbox/index.ts"
import { seriesCapability } from "./series/index.ts"
import { shopOrdersCapability } from "./shop-orders/index.ts"
import { shopifyCapability } from "./shopify/index.ts"
import { signaturesCapability } from "./signatures/index.ts"
import { statisticsCapability } from "./statistics/index.ts"
import { telemetryExportCapability } from "./telemetry-export/index.ts"
import { vaultCapability } from "./vault/index.ts"
import { videoCapability } from "./video/index.ts"
import { waitingListCapability } from "./waiting-list/index.ts"

export const installed = [
  languagesCapability,
  documentationCapability,
  signaturesCapability,
  embeddedShopCapability,
  appointmentPageCapability,
  bulkMovesCapability,
  retentionCapability,
  developmentIssuerCapability,
  postgresCapability,
  keyRotationCapability,
  telemetryExportCapability,
  shopifyCapability,
  shopOrdersCapability,
  mollieCapability,
  s3Capability,
  vaultCapability,
  practiceRecordsCapability,
  operatorCommandsCapability,
  recordCommandsCapability,
  processReportsCapability,
  requestLogCapability,
  importsCapability,
  recallsCapability,
  absencesCapability,
  calendarsCapability,
  waitingListCapability,
  sandboxCapability,
  seriesCapability,
  statisticsCapability,
  patientRightsCapability,
  formsCapability,
  fhirCapability,
  clusterCapability,
  consoleCapability,
  videoCapability,
  auditCapability,
  publicBookingCapability,
  holidaysCapability,
  provisioningCapability
]

/** All manifests, for what describes and checks the whole. */
export const manifests = () => installed.map(({ manifest }) => manifest())
