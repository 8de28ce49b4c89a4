/** Weekly statistics of doctors and resources. Rule 7.8.1. */
import { capability } from "../../capability.ts"
import { StatisticsApi } from "./http/StatisticsApi.ts"
import { StatisticsHttp } from "./http/StatisticsHttp.ts"
import { refilledWeeks, statisticsFile, statisticsPage } from "./pages/consolePages.tsx"
import { Statistics } from "./services/Statistics.ts"

export const manifest = capability({
  name: "statistics",
  services: Statistics.Default,
  api: StatisticsApi,
  http: StatisticsHttp,
  staffPages: {
    pages: [statisticsPage],
    files: { "statistics.csv": statisticsFile },
    below: { waitlist: refilledWeeks }
  }
})
