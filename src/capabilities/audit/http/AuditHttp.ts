import { Effect, Layer } from "effect"
import { inOrganisation } from "../../../http/credentials/credentials.ts"
import { groupOf } from "../../../http/group.ts"
import { AuditReader } from "../services/AuditReader.ts"
import { AuditApi } from "./AuditApi.ts"
import { AuditOfOwnersHttp } from "./operator/AuditOfOwnersHttp.ts"

const Own = groupOf(AuditApi)("management.audit", (handlers) =>
  Effect.map(AuditReader, (audit) =>
    handlers
      .handle("list", ({ urlParams }) => inOrganisation((owner) => audit.list(owner, urlParams)))
      .handle("export", ({ urlParams }) =>
        Effect.map(
          inOrganisation((owner) => audit.sealedLines(owner, urlParams)),
          (lines) => lines.map((line) => `${JSON.stringify(line)}\n`).join("")
        )
      )
  )
)

export const AuditHttp = Layer.merge(Own, AuditOfOwnersHttp)
