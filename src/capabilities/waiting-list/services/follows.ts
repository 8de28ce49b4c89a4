/** What the waiting list does when time is taken or becomes free. */
import { Effect } from "effect"
import type { Extension } from "../../../services/Extensions.ts"
import type { AppendedEvent, EventConsumer } from "../../../services/events/EventConsumers.ts"
import type { Offers } from "./Offers.ts"

const freesTime = (event: AppendedEvent) =>
  event.type === "rebooked" || (event.type === "patient_doctor_meeting_updated" && event.data.change === "cancelled")

export const waitingListFollows = ({
  follows,
  settle,
  around
}: Offers): Pick<Extension, "on" | "consumers" | "aroundHours"> => {
  /** What cancelled and moved appointments have given back is offered once the change is made. */
  const settling: EventConsumer = {
    accepts: freesTime,
    accept: (events) =>
      Effect.forEach(
        new Set(events.flatMap((event) => ("organisation_uid" in event ? event.organisation_uid : []))),
        settle,
        { discard: true }
      )
  }
  return { on: follows, consumers: [settling], aroundHours: around }
}
