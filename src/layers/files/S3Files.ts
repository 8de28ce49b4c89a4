/** Prescription files in an S3 bucket, with Bun's client. S3 guarantees that an upload is visible only when it is complete. */
import { S3Client, type S3File, type S3Options } from "bun"
import { Effect, Layer, Option, Predicate, Schedule, Stream } from "effect"
import { FileMissing, type FilePlace, FileStore, FileStoreFailed } from "../../services/prescriptions/FileStore.ts"

export interface S3Settings
  extends Pick<S3Options, "accessKeyId" | "secretAccessKey" | "sessionToken" | "region" | "endpoint"> {
  readonly bucket: string
  /** Prefix of every object key; empty, or without leading and trailing slashes. */
  readonly prefix: string
}

const isMissing = (cause: unknown) =>
  Predicate.hasProperty(cause, "code") &&
  (cause.code === "NoSuchKey" || cause.code === "ENOENT" || cause.code === "NotFound")

/** Time-out of a response or its next chunk, and additional time per KiB sent, milliseconds. */
const [TIMEOUT_MILLIS, MILLIS_PER_KIB] = [10_000, 1]

/** Three retries within 5 seconds of the first failure. */
const retries = Schedule.exponential("100 millis").pipe(
  Schedule.jittered,
  Schedule.intersect(Schedule.recurs(3)),
  Schedule.upTo("5 seconds")
)

/** Applies the time-out, also in uninterruptible callers. */
const withTimeout = <A>(operation: FileStoreFailed["operation"], run: () => Promise<A>, bytes = 0) =>
  Effect.tryPromise({ try: run, catch: (cause) => new FileStoreFailed({ operation, cause }) }).pipe(
    Effect.interruptible,
    Effect.timeoutFail({
      duration: TIMEOUT_MILLIS + (bytes / 1_024) * MILLIS_PER_KIB,
      onTimeout: () => new FileStoreFailed({ operation, cause: new Error("no answer in time") })
    })
  )

const attempt = <A>(operation: FileStoreFailed["operation"], run: () => Promise<A>, bytes = 0) =>
  withTimeout(operation, run, bytes).pipe(Effect.retry({ schedule: retries, while: ({ cause }) => !isMissing(cause) }))

/** Streams an object's bytes. */
const chunksOf = (file: S3File) =>
  Effect.acquireRelease(
    Effect.sync(() => file.stream().getReader()),
    (reader) => Effect.ignore(Effect.tryPromise(() => reader.cancel()))
  ).pipe(
    Effect.map((reader) =>
      Stream.repeatEffectOption(
        withTimeout("read", () => reader.read()).pipe(
          Effect.mapError(Option.some),
          Effect.flatMap(({ value }) => (value === undefined ? Effect.fail(Option.none()) : Effect.succeed(value)))
        )
      )
    ),
    Stream.unwrapScoped
  )

const orMissing = (place: FilePlace) => (failed: FileStoreFailed) =>
  isMissing(failed.cause) ? new FileMissing({ place }) : failed

const PDF = { type: "application/pdf" }

export const layer = ({ bucket, prefix, ...credentials }: S3Settings) => {
  const client = new S3Client({ bucket, ...credentials })
  const key = ({ area, name }: FilePlace) => [prefix, area, name].filter((part) => part !== "").join("/")
  const missing = (place: FilePlace) => Effect.mapError(orMissing(place))
  return Layer.succeed(
    FileStore,
    FileStore.of({
      put: (place, bytes) =>
        attempt("put", () => client.write(key(place), bytes, PDF), bytes.length).pipe(Effect.asVoid),
      read: (place) =>
        attempt("stat", () => client.stat(key(place))).pipe(
          missing(place),
          Effect.map(() => Stream.mapError(chunksOf(client.file(key(place))), orMissing(place))),
          Stream.unwrap
        ),
      stat: (place) =>
        attempt("stat", () => client.stat(key(place))).pipe(
          Effect.map(({ size }) => Option.some({ size })),
          Effect.catchIf(
            (failed) => isMissing(failed.cause),
            () => Effect.succeedNone
          )
        ),
      delete: (place) => attempt("delete", () => client.delete(key(place)))
    })
  )
}
