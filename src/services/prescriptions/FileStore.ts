/** The store of prescription files: one area for rendered PDFs, one for signed ones. Names are never a caller's text. */
import { Context, Data, type Effect, type Option, type Stream } from "effect"

export type Area = "unsigned" | "signed"

export interface FilePlace {
  readonly area: Area
  /** `[a-z0-9_.-]`, no leading dot. */
  readonly name: string
}

/** The store did not answer or refused. */
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
    /** Stores the bytes, whole or not at all, replacing what was there. Durable when it returns. */
    readonly put: (place: FilePlace, bytes: Uint8Array) => Effect.Effect<void, FileStoreFailed>
    /** The bytes in pieces, never all at once in memory. */
    readonly read: (place: FilePlace) => Stream.Stream<Uint8Array, FileStoreFailed | FileMissing>
    readonly stat: (place: FilePlace) => Effect.Effect<Option.Option<{ readonly size: number }>, FileStoreFailed>
    /** Removes an object; a missing one is no failure. */
    readonly delete: (place: FilePlace) => Effect.Effect<void, FileStoreFailed>
  }
>() {}
