import { Effect } from "effect"
import { groupOf } from "../../../../http/group.ts"
import { OrganisationUid } from "../../../../schemas/ids.ts"
import { acrossTenants, enter } from "../../../../services/tenancy/Tenancy.ts"
import { AuditReader } from "../../services/AuditReader.ts"
import { AuditApi } from "../AuditApi.ts"

export const AuditOfOwnersHttp = groupOf(AuditApi)("operator.audit", (handlers) =>
  Effect.map(AuditReader, (audit) =>
    handlers.handle("list", ({ urlParams: { owner_uid, ...query } }) => {
      const owner = OrganisationUid.make(owner_uid)
      // Records this read in that owner's log
      return Effect.zipRight(
        owner_uid === "installation" ? Effect.void : enter({ organisation_uid: owner }),
        acrossTenants(audit.list(owner, query))
      )
    })
  )
)
