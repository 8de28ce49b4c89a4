import { Effect } from "effect"

/** One file that the pages load: its bytes, plain and compressed, under an address that changes with them. */
export interface Asset {
  readonly file: string
  readonly contentType: string
  readonly etag: string
  readonly plain: Uint8Array
  readonly gzip: Uint8Array
}

/** The files that pages refer to; `widget` alone keeps its name, since partners' pages name it. */
const entries = {
  stylesheet: "styles/hosted.css",
  booking: "islands/booking.ts",
  appointment: "islands/appointment.ts",
  meeting: "islands/meeting/meeting.tsx",
  widget: "widget/booking-widget.ts"
} as const

export type AssetName = keyof typeof entries

const bundle = (name: AssetName) =>
  Effect.gen(function* () {
    const built = yield* Effect.promise(() =>
      Bun.build({
        entrypoints: [`${import.meta.dir}/../${entries[name]}`],
        target: "browser",
        format: name === "widget" ? "iife" : "esm",
        minify: true,
        define: { "process.env.NODE_ENV": '"production"' }
      })
    )
    const output = built.outputs[0]
    if (output === undefined) return yield* Effect.dieMessage(`The bundle of ${name} is empty`)
    const plain = new Uint8Array(yield* Effect.promise(() => output.arrayBuffer()))
    const digest = new Bun.CryptoHasher("sha256").update(plain).digest("base64url").slice(0, 16)
    const [base, extension] = name === "stylesheet" ? ["hosted", "css"] : [name, "js"]
    const asset: Asset = {
      file: name === "widget" ? "booking-widget.js" : `${base}-${digest}.${extension}`,
      contentType: extension === "css" ? "text/css; charset=utf-8" : "text/javascript; charset=utf-8",
      etag: `"${digest}"`,
      plain,
      gzip: Bun.gzipSync(plain, { level: 9 })
    }
    return [name, asset] as const
  })

/**
 * The pages' stylesheet and islands, bundled and minified once when the service starts (some 50 ms), so that what is
 * served is always what the source says and nothing has to be built beforehand.
 */
export class Assets extends Effect.Service<Assets>()("hosted/Assets", {
  effect: Effect.gen(function* () {
    const names: ReadonlyArray<AssetName> = ["stylesheet", "booking", "appointment", "meeting", "widget"]
    const built = new Map(yield* Effect.forEach(names, bundle, { concurrency: "unbounded" }))
    const byFile = new Map([...built.values()].map((asset) => [asset.file, asset]))
    return {
      /** The file of that address, or undefined. */
      find: (file: string) => byFile.get(file),
      /** The name under which a page refers to a file. */
      fileOf: (name: AssetName) => built.get(name)?.file ?? ""
    } as const
  })
}) {}
