import { Effect, Layer } from "effect"
import { AuditLog } from "../../services/audit/AuditLog.ts"
import { inOrganisation } from "../credentials/credentials.ts"
import { group } from "../group.ts"

export const AuditHttp = group("management.audit", (handlers) =>
  Effect.map(AuditLog, (audit) =>
    handlers
      .handle("list", ({ urlParams }) => inOrganisation((owner) => audit.list(owner, urlParams)))
      .handle("export", ({ urlParams }) =>
        Effect.map(
          inOrganisation((owner) => audit.sealedLines(owner, urlParams)),
          (lines) => lines.map((line) => `${JSON.stringify(line)}\n`).join("")
        )
      )
  )
).pipe(Layer.provide(AuditLog.Default))
