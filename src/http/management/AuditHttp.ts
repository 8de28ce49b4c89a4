import { HttpApiBuilder } from "@effect/platform"
import { Effect, Layer } from "effect"
import { AuditLog } from "../../services/audit/AuditLog.ts"
import { Api } from "../Api.ts"
import { currentOrganisation } from "../credentials.ts"

export const AuditHttp = HttpApiBuilder.group(Api, "management.audit", (handlers) =>
  Effect.map(AuditLog, (audit) =>
    handlers.handle("list", ({ urlParams }) =>
      Effect.flatMap(currentOrganisation, (owner) => audit.list(owner, urlParams))
    )
  )
).pipe(Layer.provide(AuditLog.Default))
