/** Prescription files in an S3 bucket, with addresses that Bun's client signs. S3 guarantees that an upload is visible only when it is complete. */
import { FetchHttpClient } from "@effect/platform"
import { S3Client, type S3Options } from "bun"
import { Data, Duration, Effect, FiberRef, Layer, Option, Predicate, Schedule, Stream } from "effect"
import { outgoing, outgoingSecondsMax } from "../../../services/outgoing.ts"
import { FileMissing, type FilePlace, FileStore, FileStoreFailed } from "../../../services/prescriptions/FileStore.ts"

export interface S3Settings
  extends Pick<S3Options, "accessKeyId" | "secretAccessKey" | "sessionToken" | "region" | "endpoint"> {
  readonly bucket: string
  /** Prefix of every object key; empty, or without leading and trailing slashes. */
  readonly prefix: string
}

/** The bucket's answer, other than 2xx. */
class Refused extends Data.TaggedError("BucketRefused")<{ readonly status: number }> {}

const isMissing = (cause: unknown) => cause instanceof Refused && cause.status === 404

/** Seconds of a request, and more per KiB sent. */
const [SECONDS, SECONDS_PER_KIB] = [10, 0.001]
/** A reading: seconds of waiting for its chunks, and bytes of a file, of which none has more. */
const [READING_SECONDS, FILE_BYTES] = [60, 64 * 1024 * 1024]

const call = outgoing({
  to: "bucket, for one request; a file is read for 60 seconds at most",
  seconds: SECONDS,
  bytes: FILE_BYTES,
  atOnce: 64,
  ofOwner: 32
})

/** Three retries within 5 seconds of the first failure. */
const retries = Schedule.exponential("100 millis").pipe(
  Schedule.jittered,
  Schedule.intersect(Schedule.recurs(3)),
  Schedule.upTo("5 seconds")
)

type Operation = FileStoreFailed["operation"]
const attempt = <A>(operation: Operation, run: (fetch: typeof globalThis.fetch) => Promise<A>, seconds = SECONDS) =>
  Effect.flatMap(FetchHttpClient.Fetch, (fetch) =>
    Effect.tryPromise({ try: () => run(fetch), catch: (cause) => new FileStoreFailed({ operation, cause }) })
  ).pipe(call(() => new FileStoreFailed({ operation, cause: new Error("no answer in time") }), { seconds }))

const orMissing = (place: FilePlace) => (failed: FileStoreFailed) =>
  isMissing(failed.cause) ? new FileMissing({ place }) : failed

/** Long enough for clocks that differ. */
const SIGNED_SECONDS = 900

export const layer = ({ bucket, prefix, ...credentials }: S3Settings) => {
  const client = new S3Client({ bucket, ...credentials })
  const key = ({ area, name }: FilePlace) => [prefix, area, name].filter((part) => part !== "").join("/")
  /** By a signed address: requests of Bun's own client cannot be ended. */
  const request =
    (method: "GET" | "PUT" | "HEAD" | "DELETE", place: FilePlace, init: RequestInit = {}) =>
    async (fetch: typeof globalThis.fetch) => {
      const response = await fetch(client.presign(key(place), { method, expiresIn: SIGNED_SECONDS }), {
        ...init,
        method
      })
      if (!response.ok) throw new Refused({ status: response.status })
      return response
    }
  const retried = (operation: Operation, ...sent: Parameters<typeof request>) => {
    const bytes = sent[2]?.body instanceof Uint8Array ? sent[2].body.length : 0
    return Effect.retry(attempt(operation, request(...sent), SECONDS + (bytes / 1_024) * SECONDS_PER_KIB), {
      schedule: retries,
      while: ({ cause }) => !isMissing(cause)
    })
  }

  /** Streams an object's bytes. Its connection is closed with the stream. */
  const read = (place: FilePlace) =>
    Effect.gen(function* () {
      const { signal } = yield* Effect.acquireRelease(
        Effect.sync(() => new AbortController()),
        (controller) => Effect.sync(() => controller.abort())
      )
      const { body } = yield* attempt("read", () => request("GET", place, { signal })(fetch))
      const reader = body?.getReader()
      let left = Math.min(READING_SECONDS, yield* FiberRef.get(outgoingSecondsMax))
      let size = 0
      const next = Effect.gen(function* () {
        const [waited, chunk] = yield* Effect.timed(
          attempt("read", async () => (await reader?.read())?.value, Math.min(SECONDS, left))
        )
        left -= Duration.toSeconds(waited)
        size += chunk?.length ?? 0
        if (size > FILE_BYTES) return yield* new FileStoreFailed({ operation: "read", cause: new Error("too long") })
        return chunk
      })
      return Stream.repeatEffectOption(
        Effect.filterOrFail(Effect.mapError(next, Option.some), Predicate.isNotUndefined, Option.none)
      )
    }).pipe(Stream.unwrapScoped, Stream.mapError(orMissing(place)))

  return Layer.succeed(
    FileStore,
    FileStore.of({
      put: (place, bytes) =>
        Effect.asVoid(
          retried("put", "PUT", place, {
            body: bytes as Uint8Array<ArrayBuffer>,
            headers: { "content-type": "application/pdf" }
          })
        ),
      read,
      stat: (place) =>
        retried("stat", "HEAD", place).pipe(
          Effect.map(({ headers }) => Option.some({ size: Number(headers.get("content-length")) })),
          Effect.catchIf(
            (failed) => isMissing(failed.cause),
            () => Effect.succeedNone
          )
        ),
      delete: (place) =>
        retried("delete", "DELETE", place).pipe(
          Effect.asVoid,
          Effect.catchIf(
            (failed) => isMissing(failed.cause),
            () => Effect.void
          )
        )
    })
  )
}
