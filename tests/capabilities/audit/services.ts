/** Services of this capability that tests call directly (`tests/support/services.ts`). */
import { Layer } from "effect"
import { AuditChain } from "../../../src/capabilities/audit/services/AuditChain.ts"
import { AuditReader } from "../../../src/capabilities/audit/services/AuditReader.ts"

export const auditServices = Layer.mergeAll(AuditChain.Default, AuditReader.Default)
