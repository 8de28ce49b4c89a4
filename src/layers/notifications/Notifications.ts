/** Where notifications meet the appointments that they are about. */
import { Effect, Layer } from "effect"
import { DomainClock } from "../../services/DomainClock.ts"
import { AppointmentSource } from "../../services/notifications/AppointmentSource.ts"
import { AppointmentsRepo, publicAppointment } from "../../services/scheduling/appointments/AppointmentsRepo.ts"
import { LinkIssuer, offeredActions } from "../../services/scheduling/appointments/LinkIssuer.ts"

export const AppointmentSourceLive = Layer.effect(
  AppointmentSource,
  Effect.gen(function* () {
    const clock = yield* DomainClock
    const repo = yield* AppointmentsRepo
    const links = yield* LinkIssuer
    return {
      find: (owner, uid) =>
        Effect.orDie(
          Effect.map(
            Effect.flatMap(clock.now, (now) => repo.find(owner, uid, now)),
            publicAppointment
          )
        ),
      lock: (owner, uid) =>
        Effect.orDie(
          Effect.map(
            Effect.flatMap(clock.now, (now) => repo.findStill(owner, uid, now)),
            publicAppointment
          )
        ),
      issueLinks: Effect.fnUntraced(function* (owner, uid) {
        const stored = yield* repo.find(owner, uid, yield* clock.now)
        return yield* links.issue(stored, offeredActions(stored))
      }, Effect.orDie)
    }
  })
).pipe(Layer.provide([DomainClock.Default, AppointmentsRepo.Default, LinkIssuer.Default]))
