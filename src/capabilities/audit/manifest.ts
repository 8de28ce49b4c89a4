/** Reading and verifying the audit log, whose entries the core writes. Section 13. */
import { Effect, Layer } from "effect"
import { capability } from "../../capability.ts"
import { extension } from "../../services/Extensions.ts"
import { unaudited } from "../../services/tenancy/Tenancy.ts"
import { AuditApi } from "./http/AuditApi.ts"
import { AuditHttp } from "./http/AuditHttp.ts"
import { auditOfOwnerPage, auditPages, LookedLink } from "./pages/auditPages.tsx"
import { AuditChain } from "./services/AuditChain.ts"
import { AuditReader } from "./services/AuditReader.ts"
import { auditCommand } from "./services/auditCommand.ts"
import { deskTextsOf } from "./texts/desk.ts"

export const manifest = capability({
  name: "audit",
  services: Layer.mergeAll(AuditChain.Default, AuditReader.Default),
  api: AuditApi,
  http: AuditHttp,
  tables: { audit_chain: "owner_uid", audit_heads: "owner_uid" },
  staffPages: {
    pages: auditPages,
    operatorPages: [auditOfOwnerPage],
    cards: { patientHead: LookedLink },
    names: (language) => ({ records: {}, actions: deskTextsOf(language).actions })
  },
  commands: [auditCommand],
  extension: Effect.map(AuditChain, (chain) =>
    extension({ periodic: [{ name: "maintenance.audit", every: 1, run: unaudited(chain.seal()) }] })
  )
})
