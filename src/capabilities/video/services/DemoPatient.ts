/** A patient of the demo practice, who waits in the doctor's room. */
import { Clock, Duration, Effect, FiberSet, Queue, Schedule } from "effect"
import { AppointmentUid, type OrganisationUid } from "../../../schemas/ids.ts"
import { Service } from "../../../services/Service.ts"
import { BookingRepo } from "../../../services/scheduling/booking/BookingRepo.ts"
import { demo } from "../../shared/services/demo.ts"
import type { BusMessage } from "../schemas/Signal.ts"
import { MeetingAppointments } from "./MeetingAppointments.ts"
import { MeetingBus } from "./MeetingBus.ts"
import { HEARTBEAT_MS } from "./participant.ts"

export class DemoPatient extends Service<DemoPatient>()("video/DemoPatient", {
  scoped: Effect.gen(function* () {
    const waiting = yield* FiberSet.make()
    const bus = yield* MeetingBus
    const appointments = yield* MeetingAppointments
    const repo = yield* BookingRepo

    /** The patient waits until somebody opens the room in a browser as this patient, or the appointment is over. */
    const wait = Effect.fnUntraced(function* (organisation_uid: OrganisationUid, now: number) {
      const uid = AppointmentUid.make(demo.practice.appointment)
      yield* appointments.arrived(organisation_uid, uid)
      const {
        room_name: room,
        patient_uid: id,
        patient_display_name,
        end_date
      } = yield* repo.find(organisation_uid, uid, now)
      const opened = yield* Clock.currentTimeMillis
      const from = {
        id,
        session: "demo",
        opened,
        name: patient_display_name,
        role: "patient" as const,
        since: opened,
        admitted_by: []
      }
      const isReplaced = (message: BusMessage) =>
        message.kind === "here" && message.from.id === id && message.from.session !== from.session
      const present = Effect.gen(function* () {
        const heard = yield* bus.subscribe(room)
        const announced = bus.publish({ kind: "here", room, from, appointment: uid, reply: false })
        yield* Effect.repeat(announced, Schedule.spaced(HEARTBEAT_MS)).pipe(
          Effect.race(Effect.repeat(Queue.take(heard), { until: isReplaced })),
          Effect.raceFirst(Effect.sleep(Duration.seconds(end_date - now)))
        )
      })
      yield* FiberSet.run(waiting, Effect.scoped(present))
    })

    return { wait } as const
  }),
  dependencies: [MeetingBus.Default, MeetingAppointments.Default, BookingRepo.Default]
}) {}
