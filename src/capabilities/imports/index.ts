/** What practices have in other programs, brought over by the command `import`. docs/coming-from.md. */
import { capability } from "../../capability.ts"
import { importOf } from "../shared/services/importing/importing.ts"
import { planOfCalCom } from "./services/calcom/calCom.ts"
import { planOfCsv } from "./services/csv/csv.ts"
import { planOfEasyAppointments } from "./services/easyappointments/easyAppointments.ts"

export const importsCapability = capability({
  name: "imports",
  switched: false,
  commands: [
    importOf({
      name: "easyappointments",
      source: "ea",
      description: "From an SQL dump of Easy!Appointments 1.4 or 1.5",
      planned: planOfEasyAppointments
    }),
    importOf({
      name: "calcom",
      source: "calcom",
      description: "From a JSON object with the bodies me, event-types, schedules and bookings of Cal.com's API v2",
      planned: planOfCalCom
    }),
    importOf({
      name: "csv",
      source: "csv",
      description: "Patients or appointments from a table with named columns",
      planned: planOfCsv
    })
  ]
})
