/** Doctors, types and shops of a practice, for the selects of its pages. */
import { Effect } from "effect"
import type { Visitor } from "./pages.ts"

export type Named = ReadonlyArray<readonly [uid: string, name: string]>

/** Doctors, active types and shops of the organisation, and its zone. */
export const choicesOf = Effect.fnUntraced(function* ({ api }: Visitor) {
  const { timezone } = yield* api["organisation.settings"].one({})
  const { data: doctors } = yield* api["management.doctors"].list({ urlParams: {} })
  const { data: types } = yield* api["management.appointment_types"].list({ urlParams: {} })
  const { data: shops } = yield* api["organisation.shops"].list({ urlParams: { page: 0, limit: 50 } })
  return {
    zone: timezone,
    doctors: doctors.map(({ uid, display_name }) => [uid, display_name] as const) satisfies Named,
    types: types.filter(({ active }) => active).map(({ uid, name }) => [uid, name] as const) satisfies Named,
    formatsOf: new Map(types.map(({ uid, formats }) => [String(uid), formats])),
    shops: shops.map(({ uid, name, shop_identifier }) => [uid, name ?? shop_identifier] as const) satisfies Named,
    shop: shops[0]?.uid
  }
})

/** The choice that the query names, otherwise the first. */
export const chosenOf = (choices: Named, name: string | null) =>
  (choices.find(([uid]) => uid === name) ?? choices[0])?.[0] ?? ""
