import { Effect } from "effect"
import type { OperatorVisitor, Visitor } from "../../shared/http/pages.ts"

/** Names of the practice's people, doctors and API keys: as actors, by `kind:uid`, and as records, by uid. */
export const staffNames = Effect.fnUntraced(function* ({ api, people }: Visitor) {
  const { data: doctors } = yield* api["management.doctors"].list({ urlParams: {} })
  const { data: keys } = yield* api["admin.api_keys"].list({})
  return new Map<string, string>([
    ...(yield* people).flatMap(({ uid, subject, display_name }) => [
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
export const namesOfOwner = ({ membersOf }: OperatorVisitor, owner: string) =>
  Effect.map(
    membersOf(owner),
    (members) =>
      new Map<string, string>(
        members.flatMap(({ kind, uid, subject, name }) => [
          [uid, name] as const,
          [`${kind}:${subject ?? uid}`, name] as const
        ])
      )
  )
