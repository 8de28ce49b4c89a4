import { Effect, Layer } from "effect"
import { AuditLog } from "../../services/audit/AuditLog.ts"
import { currentOrganisation } from "../credentials/credentials.ts"
import { group } from "../group.ts"

export const AuditHttp = group("management.audit", (handlers) =>
  Effect.map(AuditLog, (audit) =>
    handlers
      .handle("list", ({ urlParams }) => Effect.flatMap(currentOrganisation, (owner) => audit.list(owner, urlParams)))
      .handle("export", ({ urlParams }) =>
        Effect.map(
          Effect.flatMap(currentOrganisation, (owner) => audit.sealedLines(owner, urlParams)),
          (lines) => lines.map((line) => `${JSON.stringify(line)}\n`).join("")
        )
      )
  )
).pipe(Layer.provide(AuditLog.Default))
