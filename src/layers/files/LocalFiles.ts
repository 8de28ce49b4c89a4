/** Prescription files in a folder. A file appears under its name only when it is complete and flushed to disk. */
import { constants } from "node:fs"
import { mkdir, open, rename, rm, stat } from "node:fs/promises"
import { dirname, join } from "node:path"
import { Effect, Layer, Option, Predicate, Stream } from "effect"
import { FileMissing, type FilePlace, FileStore, FileStoreFailed } from "../../services/prescriptions/FileStore.ts"

const CHUNK = 256 * 1024

const isMissing = (cause: unknown) => Predicate.hasProperty(cause, "code") && cause.code === "ENOENT"

const attempt = <A>(operation: FileStoreFailed["operation"], run: () => Promise<A>) =>
  Effect.tryPromise({ try: run, catch: (cause) => new FileStoreFailed({ operation, cause }) })

const orMissing = (place: FilePlace) => (failed: FileStoreFailed) =>
  isMissing(failed.cause) ? new FileMissing({ place }) : failed

const sync = async (path: string, flags: number) => {
  const handle = await open(path, flags)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Atomic write: writes a temporary file, flushes, renames, and flushes the folder, so that the name survives a crash too. */
const replace = async (target: string, write: (temporary: string) => Promise<void>) => {
  await mkdir(dirname(target), { recursive: true, mode: 0o700 })
  const temporary = `${target}.${crypto.randomUUID()}.tmp`
  try {
    await write(temporary)
    await rename(temporary, target)
  } catch (cause) {
    await rm(temporary, { force: true })
    throw cause
  }
  await sync(dirname(target), constants.O_RDONLY)
}

const writeWhole = (bytes: Uint8Array) => async (path: string) => {
  const handle = await open(path, "wx", 0o600)
  try {
    await handle.writeFile(bytes)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

const chunks = async function* (path: string) {
  const handle = await open(path, "r")
  try {
    while (true) {
      const { bytesRead, buffer } = await handle.read(new Uint8Array(CHUNK), 0, CHUNK)
      if (bytesRead === 0) return
      yield buffer.subarray(0, bytesRead)
    }
  } finally {
    await handle.close()
  }
}

/**
 * Creates `folder` if it does not exist. A file counts as stored only when it is in `archive` too: a backup folder on another
 * disk, from which this store never deletes, so that a file is safe between two backups.
 */
export const layer = (folder: string, archive?: string) => {
  const path = ({ area, name }: FilePlace, root = folder) => join(root, area, name)
  return Layer.succeed(
    FileStore,
    FileStore.of({
      put: (place, bytes) =>
        attempt("put", async () => {
          if (archive !== undefined) await replace(path(place, archive), writeWhole(bytes))
          await replace(path(place), writeWhole(bytes))
        }),
      read: (place) =>
        Stream.fromAsyncIterable(chunks(path(place)), (cause) =>
          orMissing(place)(new FileStoreFailed({ operation: "read", cause }))
        ),
      stat: (place) =>
        attempt("stat", () => stat(path(place))).pipe(
          Effect.map(({ size }) => Option.some({ size })),
          Effect.catchIf(
            (failed) => isMissing(failed.cause),
            () => Effect.succeedNone
          )
        ),
      delete: (place) => attempt("delete", () => rm(path(place), { force: true }))
    })
  )
}
