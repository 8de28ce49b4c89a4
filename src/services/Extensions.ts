/**
 * What the capabilities that are on do within the core's own work, by kind. A capability's services are built on the core's, which
 * in turn call them here: so the list is known only once all of them are built, and is read on use.
 */
import { Context, Deferred, Effect, Layer } from "effect"
import type { DoctorUid, OrganisationUid, PatientUid } from "../schemas/ids.ts"
import type { EventConsumer } from "./events/EventConsumers.ts"
import type { NoticeWriter } from "./notifications/NoticeSource.ts"
import type { ListOfFile } from "./provisioning/entry.ts"
import type { BookingConsumers } from "./scheduling/booking/bookingFacts.ts"
import type { CurrentTenant } from "./tenancy/Tenancy.ts"

/** Minutes between two runs of a periodic task. */
export type Interval = 1 | 5 | 10

/** Work that a job does each interval; moving the sandbox clock does it at once. */
export interface PeriodicTask {
  /** In logs, traces and metrics: `maintenance.…`. */
  readonly name: string
  readonly every: Interval
  /** Returns the number of rows that it found. */
  readonly run: Effect.Effect<number, never, CurrentTenant>
  /** What becomes due when the sandbox clock moves. Default: nothing. */
  readonly onMove?: Effect.Effect<unknown, never, CurrentTenant>
}

export interface Extension {
  readonly periodic: ReadonlyArray<PeriodicTask>
  readonly consumers: ReadonlyArray<EventConsumer>
  /** Follows what happens to the time of appointments, in the transaction of the change. */
  readonly on: BookingConsumers
  /** Runs a change of hours of these doctors (undefined: all), in one transaction with what it does about the time that opens. */
  readonly aroundHours: <A, E, R>(
    owner: OrganisationUid,
    doctors: ReadonlyArray<DoctorUid> | undefined,
    change: Effect.Effect<A, E, R>
  ) => Effect.Effect<A, E, R | CurrentTenant>
  /** Writers of messages about records, by kind of message. */
  readonly notices: Readonly<Record<string, NoticeWriter>>
  /** Lists of the provisioning file, written after the core's of organisations. */
  readonly provisioning: ReadonlyArray<ListOfFile>
  /** What it adds to the life of the demo's practice. An act that fails is logged. */
  readonly demo: (organisation: OrganisationUid, now: number) => Effect.Effect<unknown, unknown, CurrentTenant>
  /** Its records of a patient, by the name of their table (`addPatientRecords`). */
  readonly ofPatient: (
    owner: OrganisationUid,
    patient: PatientUid
  ) => Readonly<Record<string, Effect.Effect<ReadonlyArray<unknown>, never, CurrentTenant>>>
}

const nothing: Extension = {
  periodic: [],
  consumers: [],
  on: {},
  aroundHours: (_owner, _doctors, change) => change,
  notices: {},
  provisioning: [],
  ofPatient: () => ({}),
  demo: () => Effect.void
}

/** An extension by the parts that it has. */
export const extension = (parts: Partial<Extension>): Extension => ({ ...nothing, ...parts })

export class Extensions extends Context.Tag("services/Extensions")<
  Extensions,
  {
    /** Those of the capabilities that are on, in the order of `complete`. Waits until all are built. */
    readonly all: Effect.Effect<ReadonlyArray<Extension>>
    /** Called by the layer of each capability. */
    readonly add: (name: string, extension: Extension) => Effect.Effect<void>
    /** Called once, after all were added. */
    readonly complete: (names: ReadonlyArray<string>) => Effect.Effect<void>
  }
>() {}

export const ExtensionsLive = Layer.effect(
  Extensions,
  Effect.map(Deferred.make<ReadonlyArray<Extension>>(), (made) => {
    const added = new Map<string, Extension>()
    return {
      all: Deferred.await(made),
      add: (name, extension) => Effect.sync(() => added.set(name, extension)),
      complete: (names) =>
        Effect.asVoid(
          Deferred.succeed(
            made,
            names.flatMap((name) => added.get(name) ?? [])
          )
        )
    }
  })
)
