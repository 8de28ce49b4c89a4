/** The virus scanner. */
import { Context, Data, type Effect } from "effect"

/** It did not answer, or could not scan the file: it is asked again later. */
export class ScannerAway extends Data.TaggedError("ScannerAway")<{ readonly cause: unknown }> {}

export class Scanner extends Context.Tag("forms/Scanner")<
  Scanner,
  { readonly scan: (bytes: Uint8Array) => Effect.Effect<"clean" | "rejected", ScannerAway> }
>() {}
