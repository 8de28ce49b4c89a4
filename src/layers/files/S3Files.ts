/** Prescription files in an S3 bucket, through Bun's client. An upload is visible when it is complete, as S3 promises. */
import { S3Client, type S3Options } from "bun"
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

const retries = Schedule.exponential("100 millis").pipe(Schedule.jittered, Schedule.intersect(Schedule.recurs(3)))

const attempt = <A>(operation: FileStoreFailed["operation"], run: () => Promise<A>) =>
  Effect.tryPromise({ try: run, catch: (cause) => new FileStoreFailed({ operation, cause }) }).pipe(
    Effect.retry({ schedule: retries, while: ({ cause }) => !isMissing(cause) })
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
      put: (place, bytes) => attempt("put", () => client.write(key(place), bytes, PDF)).pipe(Effect.asVoid),
      read: (place) =>
        attempt("stat", () => client.stat(key(place))).pipe(
          missing(place),
          Effect.map(() =>
            Stream.fromReadableStream(
              () => client.file(key(place)).stream(),
              (cause) => orMissing(place)(new FileStoreFailed({ operation: "read", cause }))
            )
          ),
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
