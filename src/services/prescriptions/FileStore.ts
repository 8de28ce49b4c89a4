/** The store of prescription files: one area for rendered PDFs, one for signed ones, one for what patients add. Names never contain callers' texts. */
import { Context, Data, type Effect, type Option, type Stream } from "effect"

export type PrescriptionArea = "unsigned" | "signed"
export type Area = PrescriptionArea | "uploads"

export interface FilePlace {
  readonly area: Area
  /** `[a-z0-9_.-]`, no leading dot. */
  readonly name: string
}

/** The store did not answer or rejected the operation. */
export class FileStoreFailed extends Data.TaggedError("FileStoreFailed")<{
  readonly operation: "put" | "read" | "stat" | "delete"
  readonly cause: unknown
}> {
  override get message() {
    return `The file store failed to ${this.operation}`
  }
}

/** No such object. */
export class FileMissing extends Data.TaggedError("FileMissing")<{ readonly place: FilePlace }> {
  override get message() {
    return `No file ${this.place.name} in the ${this.place.area} store`
  }
}

export class FileStore extends Context.Tag("prescriptions/FileStore")<
  FileStore,
  {
    /** Stores the bytes atomically, replacing an existing object. Durable when it returns. */
    readonly put: (place: FilePlace, bytes: Uint8Array) => Effect.Effect<void, FileStoreFailed>
    /** Streams the bytes, without loading all of them into memory. */
    readonly read: (place: FilePlace) => Stream.Stream<Uint8Array, FileStoreFailed | FileMissing>
    readonly stat: (place: FilePlace) => Effect.Effect<Option.Option<{ readonly size: number }>, FileStoreFailed>
    /** Deletes an object; a missing one is no failure. */
    readonly delete: (place: FilePlace) => Effect.Effect<void, FileStoreFailed>
  }
>() {}
