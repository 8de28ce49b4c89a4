import { Effect, Layer } from "effect"
import { AuditLog } from "../../services/audit/AuditLog.ts"
import { currentOrganisation } from "../credentials.ts"
import { group } from "../group.ts"

export const AuditHttp = group("management.audit", (handlers) =>
  Effect.map(AuditLog, (audit) =>
    handlers.handle("list", ({ urlParams }) =>
      Effect.flatMap(currentOrganisation, (owner) => audit.list(owner, urlParams))
    )
  )
).pipe(Layer.provide(AuditLog.Default))
