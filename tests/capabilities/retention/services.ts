import { Retention } from "../../../src/capabilities/retention/services/Retention.ts"

export const retentionServices = Retention.Default
