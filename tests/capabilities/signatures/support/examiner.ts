/** The service's examiner of PDFs, one for all tests of a file: it keeps its process. */
import { afterAll } from "bun:test"
import { Effect, Either, type Layer, ManagedRuntime } from "effect"
import { SignatureExaminerLive } from "../../../../src/capabilities/signatures/layers/SignatureExaminerLive.ts"
import { SignatureExaminer } from "../../../../src/capabilities/signatures/services/SignatureExaminer.ts"
import { type CurrentTenant, withoutOwner } from "../../../../src/services/tenancy/Tenancy.ts"

export const testExaminer = (layer: Layer.Layer<SignatureExaminer> = SignatureExaminerLive) => {
  const runtime = ManagedRuntime.make(layer)
  afterAll(() => runtime.dispose())

  const run = <A, E>(program: Effect.Effect<A, E, SignatureExaminer | CurrentTenant>) =>
    runtime.runPromise(withoutOwner(program))
  const examine = (pdf: Uint8Array) => run(Effect.flatMap(SignatureExaminer, (e) => Effect.either(e.examine(pdf))))
  const judged = async (pdf: Uint8Array) => Either.getOrThrow(await examine(pdf))
  /** The forbidden content, or the limit; "taken" if there is none. */
  const refusal = async (pdf: Uint8Array) =>
    Either.match(await examine(pdf), {
      onLeft: (refused) => (refused._tag === "PdfRefused" ? refused.danger : refused.limit),
      onRight: () => "taken"
    })
  return { run, judged, refusal }
}
