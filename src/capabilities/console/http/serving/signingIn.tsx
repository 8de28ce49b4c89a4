/** What every way of signing in has: where it leads to, its notices and its entries in the audit log. */
import { Effect } from "effect"
import type { StaffMember } from "../../../../schemas/access/StaffMember.ts"
import { AuditLog } from "../../../../services/audit/AuditLog.ts"
import { asRequest, currentTenancy, onlyOwner } from "../../../../services/tenancy/Tenancy.ts"
import type { StaffPageContent } from "../../../shared/http/pages.ts"

export const notice = (
  { title, text, again }: { readonly title: string; readonly text: string; readonly again?: string },
  status: number
): StaffPageContent => ({
  title,
  status,
  body: (
    <section class="card">
      <h1>{title}</h1>
      <p>{text}</p>
      {again === undefined ? null : (
        <p class="actions">
          <a class="primary" href="/console/sign-in">
            {again}
          </a>
        </p>
      )}
    </section>
  )
})

/** Only console pages are valid redirect targets. */
export const ownPage = (to: string | null) =>
  to !== null && /^\/console(\/(?!sign|callback)[\w/.-]*)?(\?[^#\\\s]*)?$/.test(to) ? to : "/console"

export const signInAudit = Effect.map(AuditLog, ({ record }) => {
  /** Writes an entry to the audit log of each owner whose role the person has; for operators to the installation's. */
  const signIns = (action: string, members: ReadonlyArray<StaffMember>) =>
    Effect.flatMap(currentTenancy, ({ request }) =>
      Effect.forEach(
        new Map(
          members.map((member) => [member.organisation_uid ?? member.pharmacy_uid ?? member.pharmacy_group_uid, member])
        ).values(),
        (member) =>
          request === null
            ? Effect.void
            : record.pipe(asRequest({ ...request, action, actor: member.actor }), onlyOwner(member)),
        { discard: true }
      )
    )
  const denial = Effect.flatMap(currentTenancy, ({ request }) =>
    request === null ? Effect.void : asRequest({ ...request, action: "console.sign_in.denied" })(record)
  )

  return { signIns, denial } as const
})
