import type { Patient } from "../../../schemas/access/Patient.ts"
import { fill } from "../../../texts/fill.ts"
import { Card, Do, Field, Rows, Submit, useAddress, useDesk } from "../../shared/pages/Desk.tsx"
import { Distinct, nameOf } from "../../shared/pages/rows.tsx"
import type { Merged } from "../schemas/Merge.ts"
import { deskTextsOf } from "../texts/desk.ts"

/** Another record of the same person: how it is searched, and what merging it would do. */
interface Double {
  readonly search: string
  readonly found: ReadonlyArray<Patient>
  /** Null: none is chosen; `refused`: the two cannot be merged. */
  readonly preview: { readonly other: Patient; readonly merged: Merged | "refused" } | null
}

interface MergingProps {
  readonly patient: Patient
  readonly double: Double
}

/** The patient was entered twice: the other record is searched, compared, and becomes part of this one. */
export const Merging = ({ patient, double: { search, found, preview } }: MergingProps) => {
  const { language, address, names } = useDesk()
  const { merging: texts, search: word } = deskTextsOf(language)
  const kinds: Readonly<Record<string, string>> = { ...texts.kinds, ...names.records }
  const link = useAddress()
  const merged = preview?.merged
  return (
    <Card id="double" title={texts.title}>
      <search>
        <form class="press" action={`${address.split("?")[0]}#double`}>
          <Field label={texts.search} name="double" type="search" value={search} />
          <Submit text={word} look="secondary" />
        </form>
      </search>
      {search === "" ? null : (
        <Rows of={found} empty={{ what: "filtered" }}>
          {(one) => (
            <li key={one.uid}>
              <a class="grow" href={`${link({ merge: one.uid })}#double`}>
                {nameOf(one)}
              </a>
              <Distinct patient={one} />
            </li>
          )}
        </Rows>
      )}
      {preview === null || merged === undefined ? null : merged === "refused" ? (
        <p class="notice warn" role="alert">
          {texts.refused}
        </p>
      ) : (
        <Do
          operation={`POST /v1/management/patients/${preview.other.uid}/merge`}
          hidden={{ into: patient.uid, dry_run: "false" }}
          back={address.split("?")[0] ?? ""}
        >
          <dl>
            <dt>{texts.stays}</dt>
            <dd>
              {nameOf(patient)} <Distinct patient={patient} />
            </dd>
            <dt>{texts.goes}</dt>
            <dd>
              {nameOf(preview.other)} <Distinct patient={preview.other} />
            </dd>
            <dt>{texts.result}</dt>
            <dd>
              {nameOf(merged.patient)} <Distinct patient={merged.patient} />
            </dd>
            <dt>{texts.moves}</dt>
            <dd>
              {Object.entries(merged.moved)
                .filter(([, count]) => count > 0)
                .map(([kind, count]) => `${count} ${kinds[kind] ?? kind}`)
                .join(", ") || texts.nothing}
            </dd>
          </dl>
          <p>{fill(texts.question, { other: nameOf(preview.other), name: nameOf(patient) })}</p>
          <Submit text={texts.merge} look="primary danger" />
        </Do>
      )}
    </Card>
  )
}
