/** Prescription files in an S3 bucket, through Bun's client. An upload is visible when it is complete, as S3 promises. */
import { S3Client, type S3File, type S3Options } from "bun"
import { Effect, Layer, Option, Predicate, Schedule, Stream } from "effect"
import { FileMissing, type FilePlace, FileStore, FileStoreFailed } from "../../services/prescriptions/FileStore.ts"

export interface S3Settings
  extends Pick<S3Options, "accessKeyId" | "secretAccessKey" | "sessionToken" | "region" | "endpoint"> {
  readonly bucket: string
  /** Stands before every object's key; empty or without slashes at its ends. */
  readonly prefix: string
}

const isMissing = (cause: unknown) =>
  Predicate.hasProperty(cause, "code") &&
  (cause.code === "NoSuchKey" || cause.code === "ENOENT" || cause.code === "NotFound")

/** Milliseconds that the bucket may take for an answer or the next piece of one, and more for each KiB that is sent. */
const [PATIENCE, FOR_A_KIB] = [10_000, 1]

/** Three times more, but not when 5 seconds are over since the first time failed. */
const retries = Schedule.exponential("100 millis").pipe(
  Schedule.jittered,
  Schedule.intersect(Schedule.recurs(3)),
  Schedule.upTo("5 seconds")
)

/** In time, also for callers that nothing interrupts. */
const inTime = <A>(operation: FileStoreFailed["operation"], run: () => Promise<A>, bytes = 0) =>
  Effect.tryPromise({ try: run, catch: (cause) => new FileStoreFailed({ operation, cause }) }).pipe(
    Effect.interruptible,
    Effect.timeoutFail({
      duration: PATIENCE + (bytes / 1_024) * FOR_A_KIB,
      onTimeout: () => new FileStoreFailed({ operation, cause: new Error("no answer in time") })
    })
  )

const attempt = <A>(operation: FileStoreFailed["operation"], run: () => Promise<A>, bytes = 0) =>
  inTime(operation, run, bytes).pipe(Effect.retry({ schedule: retries, while: ({ cause }) => !isMissing(cause) }))

/** An object's bytes as they come. */
const piecesOf = (file: S3File) =>
  Effect.acquireRelease(
    Effect.sync(() => file.stream().getReader()),
    (reader) => Effect.ignore(Effect.tryPromise(() => reader.cancel()))
  ).pipe(
    Effect.map((reader) =>
      Stream.repeatEffectOption(
        inTime("read", () => reader.read()).pipe(
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
          Effect.map(() => Stream.mapError(piecesOf(client.file(key(place))), orMissing(place))),
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
