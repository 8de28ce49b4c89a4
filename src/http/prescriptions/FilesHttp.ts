import { HttpServerResponse } from "@effect/platform"
import { Effect, Layer } from "effect"
import { Prescriptions } from "../../services/prescriptions/Prescriptions.ts"
import { group } from "../group.ts"

const headers = {
  "cache-control": "private, no-store",
  "content-disposition": 'inline; filename="rezept.pdf"',
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer"
}

export const FilesHttp = group("prescription_files", (handlers) =>
  Effect.map(Prescriptions, (prescriptions) =>
    handlers.handle("download", ({ path }) =>
      Effect.map(prescriptions.download(path.token), (bytes) =>
        HttpServerResponse.stream(bytes, { contentType: "application/pdf", headers })
      )
    )
  )
).pipe(Layer.provide(Prescriptions.Default))
