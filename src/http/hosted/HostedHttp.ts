/** The hosted pages for patients and doctors, below the path of MEETINGS_URL. */
import { Layer } from "effect"
import { Images } from "../../services/access/Images.ts"
import { KeptForms } from "../../services/hosted/KeptForms.ts"
import { MissingProfile } from "../../services/hosted/MissingProfile.ts"
import { PageHosts } from "../../services/hosted/PageHosts.ts"
import { Presentations } from "../../services/hosted/Presentations.ts"
import { PageConsents } from "../../services/patients/PageConsents.ts"
import { BookingPages } from "../../services/scheduling/booking/BookingPages.ts"
import { BookingSessions } from "../../services/scheduling/booking/BookingSessions.ts"
import { Bookings } from "../../services/scheduling/booking/Bookings.ts"
import { BookingPagesHttp } from "./BookingPagesHttp.tsx"
import { Assets } from "./serving/Assets.ts"
import { AssetsHttp } from "./serving/AssetsHttp.ts"
import { Respond } from "./serving/Respond.tsx"

export const HostedHttp = Layer.merge(AssetsHttp, BookingPagesHttp).pipe(
  Layer.provide([
    Assets.Default,
    Images.Default,
    Respond.Default,
    PageHosts.Default,
    BookingPages.Default,
    Presentations.Default,
    PageConsents.Default,
    KeptForms.Default,
    MissingProfile.Default,
    Bookings.Default,
    BookingSessions.Default
  ])
)
