import type { DoctorLimit, TypeLimit } from "../../../../schemas/scheduling/Requirements.ts"
import { Do, Field, listFields, Press, Rows, Submit } from "../../../shared/pages/Desk.tsx"
import { useTexts } from "../useTexts.ts"

type Limit = DoctorLimit & Partial<Pick<TypeLimit, "scope">>

/** Most limits of one record. */
const LIMITS_MAX = 5

interface LimitsProps {
  /** The change of the record, `PATCH /v1/…`. */
  readonly operation: string
  readonly limits: ReadonlyArray<Limit>
  /** Whether a limit says for whom it counts: that of a type does. */
  readonly hasScope: boolean
}

/** The limits of a type or a doctor: each can be removed, and another one added. The list is replaced as a whole. */
export const Limits = ({ operation, limits, hasScope }: LimitsProps) => {
  const { practice, frame } = useTexts()
  const { takes: texts } = practice
  const inWords = ({ max, per, scope }: Limit) =>
    [`${texts.max} ${max} · ${texts.per} ${texts.periods[per]}`, scope === undefined ? "" : texts.scopes[scope]]
      .filter(Boolean)
      .join(" · ")
  const at = limits.length
  return (
    <>
      <Rows of={limits} empty={{ what: "limits" }}>
        {(limit, index) => (
          <li key={inWords(limit)}>
            <span class="grow">{inWords(limit)}</span>
            <Press
              operation={operation}
              hidden={listFields("limits", limits.toSpliced(index, 1))}
              text={frame.remove}
              label={`${frame.remove}: ${inWords(limit)}`}
              look="quiet"
            />
          </li>
        )}
      </Rows>
      {at >= LIMITS_MAX ? null : (
        <Do operation={operation} hidden={listFields("limits", limits)} label={texts.addLimit}>
          <div class="entries">
            <Field label={texts.max} name={`limits.${at}.max`} type="number" min={1} required />
            <Field label={texts.per} name={`limits.${at}.per`} options={Object.entries(texts.periods)} />
            {hasScope ? (
              <Field label={texts.scope} name={`limits.${at}.scope`} options={Object.entries(texts.scopes)} />
            ) : null}
          </div>
          <Submit text={texts.addLimit} look="secondary" />
        </Do>
      )}
    </>
  )
}
