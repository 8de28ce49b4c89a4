/** Every capability, in the order in which they take part in the core's work. Deleting one is deleting its folder, its tests' and its line. */

import { absencesCapability } from "./absences/index.ts"
import { auditCapability } from "./audit/index.ts"
import { calendarsCapability } from "./calendars/index.ts"
import { clusterCapability } from "./cluster/index.ts"
import { consoleCapability } from "./console/index.ts"
import { fhirCapability } from "./fhir/index.ts"
import { formsCapability } from "./forms/index.ts"
import { holidaysCapability } from "./holidays/index.ts"
import { importsCapability } from "./imports/index.ts"
import { languagesCapability } from "./languages/index.ts"
import { patientRightsCapability } from "./patient-rights/index.ts"
import { publicBookingCapability } from "./public-booking/index.ts"
import { recallsCapability } from "./recalls/index.ts"
import { sandboxCapability } from "./sandbox/index.ts"
import { seriesCapability } from "./series/index.ts"
import { statisticsCapability } from "./statistics/index.ts"
import { videoCapability } from "./video/index.ts"
import { waitingListCapability } from "./waiting-list/index.ts"

export const installed = [
  languagesCapability,
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
  holidaysCapability
]
