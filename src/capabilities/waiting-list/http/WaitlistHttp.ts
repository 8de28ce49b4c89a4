import { Layer } from "effect"
import { Respond } from "../../../http/hosted/serving/Respond.tsx"
import { PageHosts } from "../../../services/hosted/PageHosts.ts"
import { BookingPages } from "../../../services/scheduling/booking/BookingPages.ts"
import { Entries } from "../services/Entries.ts"
import { Offers } from "../services/Offers.ts"
import { WaitlistSignups } from "../services/WaitlistSignups.ts"
import { OwnWaitlistHttp, WaitlistOffersHttp } from "./OwnWaitlistHttp.ts"
import { PracticeWaitlistHttp } from "./PracticeWaitlistHttp.ts"
import { WaitlistPagesHttp } from "./WaitlistPagesHttp.tsx"

export const WaitlistHttp = Layer.mergeAll(
  PracticeWaitlistHttp,
  OwnWaitlistHttp,
  WaitlistOffersHttp,
  WaitlistPagesHttp
).pipe(
  Layer.provide([
    BookingPages.Default,
    Entries.Default,
    Offers.Default,
    WaitlistSignups.Default,
    PageHosts.Default,
    Respond.Default
  ])
)
