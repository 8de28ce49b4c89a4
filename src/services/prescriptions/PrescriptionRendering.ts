/** Renders the unsigned PDF of a prescription, in the background and once (Rule 9.3). */
import { Effect } from "effect"
import type { Actor } from "../../schemas/access/Actor.ts"
import type { PrescriptionRef } from "../../schemas/prescriptions/Prescription.ts"
import { HOUR } from "../../schemas/seconds.ts"
import { DomainClock } from "../DomainClock.ts"
import { Database } from "../database/Database.ts"
import { EventLog } from "../events/EventLog.ts"
import { Jobs } from "../queue/Jobs.ts"
import { RECORD_LIMITS } from "../recordLimits.ts"
import { Service } from "../Service.ts"
import { PrescriptionFiles } from "./PrescriptionFiles.ts"
import { PrescriptionRenderer } from "./PrescriptionRenderer.ts"
import { PrescriptionsRepo, type StoredPrescription } from "./PrescriptionsRepo.ts"
import { Sheets } from "./render/Sheets.ts"

/** Seconds after which a rendering that has failed all attempts may be requested again. */
const RETRY_AFTER = HOUR

/** Characters that a message names at most. */
const NAMED_MAX = 5

/** A sheet that would misstate a name is not rendered, so that nobody signs it. */
const unprintableText = (letters: ReadonlyArray<string>) => {
  const named = letters.slice(0, NAMED_MAX).map((letter) => `U+${letter.codePointAt(0)?.toString(16).toUpperCase()}`)
  return `The sheet has characters that cannot be printed (${named.join(", ")}); nothing was started`
}

/** Why no rendering starts, as a sentence; null if it starts. */
const refusalOf = ({ status, file, items, rendering_since }: StoredPrescription, now: number): string | null => {
  if (file !== null) return "The PDF is there already; nothing was started"
  if (status !== "WAITING_FOR_DOCTOR") return "The prescription is not waiting for a doctor; nothing was started"
  if (items.length > RECORD_LIMITS.renderedItems)
    return `The prescription has more than ${RECORD_LIMITS.renderedItems} items; nothing was started`
  if (rendering_since !== null && now < rendering_since + RETRY_AFTER)
    return "The rendering is running already; nothing was started"
  return null
}

export class PrescriptionRendering extends Service<PrescriptionRendering>()("prescriptions/PrescriptionRendering", {
  effect: Effect.gen(function* () {
    const repo = yield* PrescriptionsRepo
    const sheets = yield* Sheets
    const renderer = yield* PrescriptionRenderer
    const files = yield* PrescriptionFiles
    const events = yield* EventLog
    const jobs = yield* Jobs
    const clock = yield* DomainClock
    const { transaction } = yield* Database

    /** Starts the rendering, unless one is running or done; then `message` says so. Fails with `PrescriptionNotFound`. */
    const start = Effect.fn("PrescriptionRendering.start")(function* (ref: PrescriptionRef, actor: Actor) {
      const now = yield* clock.now
      const { organisation_uid, prescription_uid } = ref
      const reason = refusalOf(yield* repo.lock(ref), now)
      if (reason !== null) return { uid: prescription_uid, message: reason }
      const letters = renderer.unprintable(yield* sheets.find(ref))
      if (letters.length > 0) return { uid: prescription_uid, message: unprintableText(letters) }
      yield* repo.renderingSince(ref, now)
      yield* events.append({
        type: "prescription.render",
        organisation_uid,
        subject: prescription_uid,
        data: { prescription_uid, actor }
      })
      yield* jobs.send("prescription.render", { organisation_uid, prescription_uid }, { group: organisation_uid })
      return { uid: prescription_uid, message: "Rendering has started" }
    }, transaction)

    /**
     * Records the file, unless another attempt has done so or the prescription has changed status. False if it is too late: the
     * prescription was cancelled, perhaps erased, and has no file.
     */
    const finish = Effect.fnUntraced(function* (ref: PrescriptionRef, stored: Parameters<typeof repo.addFile>[1]) {
      const { organisation_uid, prescription_uid } = ref
      const { file, status } = yield* repo.lock(ref)
      if (file !== null) return true
      if (status !== "WAITING_FOR_DOCTOR") return false
      yield* repo.addFile(ref, stored, yield* clock.now)
      yield* events.append({
        type: "prescription.rendered",
        organisation_uid,
        subject: prescription_uid,
        data: { prescription_uid, file: { sha256: stored.sha256, size: stored.size } }
      })
      return true
    }, transaction)

    /** The job's work. Idempotent, also when run concurrently: leaves one file and one event. */
    const render = Effect.fn("PrescriptionRendering.render")(function* (ref: PrescriptionRef) {
      const { file, status } = yield* repo.find(ref)
      if (file !== null) return
      // An attempt that was killed may have left its file, although the prescription was cancelled, perhaps erased
      if (status !== "WAITING_FOR_DOCTOR") return yield* files.remove("unsigned", ref)
      const pdf = yield* Effect.flatMap(sheets.find(ref), renderer.render)
      const isWanted = yield* finish(ref, yield* files.put("unsigned", ref, pdf))
      if (!isWanted) yield* files.remove("unsigned", ref)
    })

    return { start, render } as const
  }),
  dependencies: [PrescriptionsRepo.Default, Sheets.Default, PrescriptionRenderer.Default, PrescriptionFiles.Default]
}) {}
