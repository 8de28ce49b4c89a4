/** Started by memory.test.ts: stores and serves a signed PDF of 10 MiB, and prints the maximum growth of the process. */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Layer, ManagedRuntime, Stream } from "effect"
import * as LocalFiles from "../../../src/layers/files/LocalFiles.ts"
import { SignatureExaminerLive } from "../../../src/layers/pdf/SignatureExaminerLive.ts"
import { OrganisationUid, PrescriptionUid } from "../../../src/schemas/ids.ts"
import { PrescriptionFiles } from "../../../src/services/prescriptions/PrescriptionFiles.ts"
import { SignatureExaminer } from "../../../src/services/prescriptions/SignatureExaminer.ts"
import { type DataKey, DataKeys } from "../../../src/services/sealing/DataKeys.ts"
import { withoutOwner } from "../../../src/services/tenancy/Tenancy.ts"
import { rendered, signedElliptically } from "./signed.ts"

const folder = await mkdtemp(join(tmpdir(), "large-"))
const path = join(folder, "in.pdf")

/** The signed PDF, padded to `size` bytes by a comment, which readers skip. */
const write = async (size: number) => {
  const small = await signedElliptically(await rendered(), "Dr. Weber")
  await Bun.write(path, Buffer.concat([small, Buffer.alloc(size, "% padding\n")]))
}

const through = Effect.gen(function* () {
  const files = yield* PrescriptionFiles
  const pdf = yield* Effect.promise(() => Bun.file(path).bytes())
  const { present } = yield* Effect.flatMap(SignatureExaminer, (examiner) => examiner.examine(pdf))
  const ref = { organisation_uid: OrganisationUid.make("org"), prescription_uid: PrescriptionUid.make("prx") }
  const stored = yield* files.put("unsigned", ref, pdf)
  const bytes = yield* Effect.flatMap(files.copyToSigned(ref, stored), (copy) => files.read(ref, copy))
  const read = yield* Stream.runFold(bytes, 0, (sum, piece) => sum + piece.length)
  return { present, read, size: pdf.length }
})

// A key without a database
const key: DataKey = { id: "0123456789ab", bytes: new Uint8Array(32) }
const current = () => Effect.succeed(key)
const forget = () => Effect.succeed(0)

const layer = Layer.merge(
  PrescriptionFiles.DefaultWithoutDependencies.pipe(
    Layer.provide(
      Layer.merge(
        LocalFiles.layer(join(folder, "files")),
        Layer.succeed(DataKeys, DataKeys.make({ current, find: current, make: current, forget, rewrap: forget }))
      )
    )
  ),
  SignatureExaminerLive
)
// one runtime, as in the service: the first run also starts the examiner's worker
const runtime = ManagedRuntime.make(layer)
const run = () => runtime.runPromise(withoutOwner(through))

await write(1000)
await run()
await write(10 * 1024 * 1024)
Bun.gc(true)
const before = process.memoryUsage.rss()
let peak = before
const watch = setInterval(() => {
  peak = Math.max(peak, process.memoryUsage.rss())
}, 1)
const outcome = await run()
clearInterval(watch)
peak = Math.max(peak, process.memoryUsage.rss())
await runtime.dispose()
await rm(folder, { recursive: true })
process.stdout.write(JSON.stringify({ ...outcome, grown: peak - before }))
