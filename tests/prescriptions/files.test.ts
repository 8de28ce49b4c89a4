/** One contract for both file stores: a folder, and a bucket of an S3-compatible server that runs here. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { mkdtemp, readdir, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Chunk, Effect, Fiber, type Layer, Option, Stream, TestClock, TestContext } from "effect"
import * as S3Files from "../../src/capabilities/s3/layers/S3Files.ts"
import * as LocalFiles from "../../src/layers/files/LocalFiles.ts"
import { type Area, FileStore } from "../../src/services/prescriptions/FileStore.ts"
import { eventually } from "../support/eventually.ts"
import { localS3 } from "./support/s3.ts"

let folder = ""
let s3: Awaited<ReturnType<typeof localS3>>
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "files-"))
  s3 = await localS3(join(folder, "s3"))
})
afterAll(async () => {
  await s3.close()
  await rm(folder, { recursive: true })
})

const stores: ReadonlyArray<readonly [string, () => Layer.Layer<FileStore>]> = [
  ["a folder", () => LocalFiles.layer(join(folder, "local"))],
  ["an S3 bucket", () => S3Files.layer({ ...s3.settings, prefix: "clinic/files" })]
]

const place = (area: Area = "unsigned") => ({ area, name: `${crypto.randomUUID()}.pdf` })

describe.each(stores)("%s", (_, layer) => {
  const run = <A, E>(program: Effect.Effect<A, E, FileStore>) => Effect.runPromise(Effect.provide(program, layer()))
  const store = <A, E>(use: (files: typeof FileStore.Service) => Effect.Effect<A, E>) =>
    run(Effect.flatMap(FileStore, use))
  const bytesOf = (at: ReturnType<typeof place>) =>
    store((files) => Stream.runCollect(files.read(at)).pipe(Effect.map((c) => Buffer.concat(Chunk.toReadonlyArray(c)))))

  test("a stored file is read back in chunks, with its size", async () => {
    const at = place()
    const bytes = crypto.getRandomValues(new Uint8Array(65_536))
    const large = Buffer.concat(Array.from({ length: 100 }, () => bytes))
    await store((files) => files.put(at, large))
    expect(await store((files) => files.stat(at))).toEqual(Option.some({ size: large.length }))
    const pieces = await store((files) => Stream.runCollect(files.read(at)))
    expect(Chunk.size(pieces)).toBeGreaterThan(1)
    expect(Buffer.concat(Chunk.toReadonlyArray(pieces)).equals(large)).toBe(true)
  })

  test("storing again replaces the file", async () => {
    const at = place()
    await store((files) => files.put(at, Buffer.from("the first, longer text")))
    await store((files) => files.put(at, Buffer.from("second")))
    expect((await bytesOf(at)).toString()).toBe("second")
  })

  test("an absent file is reported as missing, and its removal succeeds", async () => {
    const at = place()
    expect(await store((files) => files.stat(at))).toEqual(Option.none())
    await store((files) => files.delete(at))
    const read = await store((files) => Effect.flip(Stream.runDrain(files.read(at))))
    expect(read._tag).toBe("FileMissing")
  })
})

// S3 guarantees this; the test server does not, since it writes in place
test("twenty concurrent writes under one name in a folder leave one complete file", async () => {
  const at = place()
  const texts = Array.from({ length: 20 }, (_, i) => `${i}-`.repeat(20_000))
  const read = await Effect.runPromise(
    Effect.gen(function* () {
      const files = yield* FileStore
      yield* Effect.forEach(texts, (text) => files.put(at, Buffer.from(text)), { concurrency: "unbounded" })
      return Chunk.toReadonlyArray(yield* Stream.runCollect(files.read(at)))
    }).pipe(Effect.provide(LocalFiles.layer(join(folder, "local"))))
  )
  expect(texts.indexOf(Buffer.concat(read).toString())).not.toBe(-1)
})

test("a folder keeps no temporary files, and its files are readable only by their owner", async () => {
  const root = join(folder, "tidy")
  const at = place()
  await Effect.runPromise(
    Effect.flatMap(FileStore, (files) => files.put(at, Buffer.from("x"))).pipe(Effect.provide(LocalFiles.layer(root)))
  )
  expect(await readdir(join(root, "unsigned"))).toEqual([at.name])
  const { stdout } = Bun.spawnSync(["stat", "-c", "%a", join(root, "unsigned", at.name)])
  expect(stdout.toString().trim()).toBe("600")
})

test("a store that does not answer fails, and is not reported as missing", async () => {
  const layer = S3Files.layer({ ...s3.settings, endpoint: "http://127.0.0.1:1", prefix: "" })
  const failed = await Effect.runPromise(
    Effect.flatMap(FileStore, (files) => Effect.flip(files.stat(place()))).pipe(Effect.provide(layer))
  )
  expect(failed._tag).toBe("FileStoreFailed")
})

test("a bucket that does not answer, or only in part, is retried and then fails", async () => {
  const requested: Array<string> = []
  const silent = Bun.serve({
    port: 0,
    idleTimeout: 0,
    fetch: ({ method, url }) => {
      requested.push(method)
      if (!url.includes("begun")) return new Promise<Response>(() => {})
      const begun = new ReadableStream({ start: (body) => body.enqueue(Buffer.from("%PDF")) })
      return new Response(method === "HEAD" ? null : begun, { headers: { "content-length": "100" } })
    }
  })
  const layer = S3Files.layer({ ...s3.settings, endpoint: `http://127.0.0.1:${silent.port}`, prefix: "" })
  const failed = <A, E>(use: (files: typeof FileStore.Service) => Effect.Effect<A, E>) =>
    Effect.gen(function* () {
      const running = yield* Effect.fork(Effect.flip(Effect.flatMap(FileStore, use)))
      while (Option.isNone(yield* Fiber.poll(running))) {
        yield* TestClock.adjust("1 second")
        yield* Effect.promise(() => Bun.sleep(1))
      }
      return yield* Fiber.join(running)
    }).pipe(Effect.uninterruptible, Effect.provide([layer, TestContext.TestContext]), Effect.runPromise)
  const at = place()
  expect(await failed((files) => files.put(at, Buffer.from("%PDF")))).toMatchObject({ operation: "put" })
  expect(await failed((files) => files.stat(at))).toMatchObject({ operation: "stat" })
  await eventually(
    async () => requested.join(),
    (methods) => methods === "PUT,PUT,HEAD,HEAD"
  )
  const begun = { ...at, name: "begun.pdf" }
  expect(await failed((files) => Stream.runDrain(files.read(begun)))).toMatchObject({ operation: "read" })
  await silent.stop(true)
})
