/** Contract: the waiting list (section 19). */
import { HttpApi } from "@effect/platform"
import { OwnWaitlistApi, WaitlistOffersApi } from "./OwnWaitlistApi.ts"
import { PracticeWaitlistApi } from "./PracticeWaitlistApi.ts"

export class WaitlistApi extends HttpApi.make("sprechstunde")
  .add(PracticeWaitlistApi)
  .add(OwnWaitlistApi)
  .add(WaitlistOffersApi) {}
