/** Public holidays by region, on which types are not offered, and the preview of a change. Rule 3.11. */
import { capability } from "../../capability.ts"
import { HolidaysApi } from "./http/HolidaysApi.ts"
import { HolidaysHttp } from "./http/HolidaysHttp.ts"
import { holidaysOfDoctor, holidaysPage } from "./pages/consolePages.tsx"
import { HolidayPreviews } from "./services/HolidayPreviews.ts"
import { holidaysOf, isRegion } from "./services/publicHolidays.ts"

export const manifest = capability({
  name: "holidays",
  publicHolidays: { isRegion, of: holidaysOf },
  services: HolidayPreviews.Default,
  api: HolidaysApi,
  http: HolidaysHttp,
  staffPages: { pages: [holidaysPage], below: { people: holidaysOfDoctor } }
})
