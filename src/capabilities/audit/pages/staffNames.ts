import { Effect } from "effect"
import { whereRefused } from "../../../http/staff/InProcessApi.ts"
import { asPartOfRead } from "../../../http/staff/names.ts"
import type { Visitor } from "../../../http/staff/pages.ts"
import { OrganisationUid } from "../../../schemas/ids.ts"

/** Names of the practice's people, doctors and API keys: as actors, by `kind:uid`, and as records, by uid. */
export const staffNames = Effect.fnUntraced(function* ({ api }: Visitor) {
  const { data: people } = yield* api["organisation.staff"].list({ urlParams: {} })
  const { data: doctors } = yield* api["management.doctors"].list({ urlParams: {} })
  const { data: keys } = yield* api["admin.api_keys"].list({})
  return new Map<string, string>([
    ...people.flatMap(({ uid, subject, display_name }) => [
      [uid, display_name] as const,
      ...(subject === null ? [] : [[`admin:${subject}`, display_name] as const])
    ]),
    ...doctors.flatMap(({ uid, display_name }) => [
      [uid, display_name] as const,
      [`doctor:${uid}`, display_name] as const
    ]),
    ...keys.flatMap(({ uid, name }) => [[uid, name] as const, [`api_key:${uid}`, name] as const])
  ])
})

/** The same of an organisation, for an operator; nobody's of a pharmacy and of the installation. */
export const namesOfOwner = ({ api }: Visitor, uid: string) =>
  api.operator.organisation({ path: { organisation_uid: OrganisationUid.make(uid) } }).pipe(
    Effect.map(({ members }) => members),
    whereRefused(404, []),
    Effect.map(
      (members) =>
        new Map<string, string>(
          members.flatMap(({ kind, uid, subject, name }) => [
            [uid, name] as const,
            [`${kind}:${subject ?? uid}`, name] as const
          ])
        )
    ),
    asPartOfRead
  )
