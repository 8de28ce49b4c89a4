import type { AppointmentType } from "../../../../schemas/scheduling/AppointmentType.ts"
import type { Requirement } from "../../../../schemas/scheduling/Requirements.ts"
import type { Resource } from "../../../../schemas/scheduling/Resource.ts"
import { Card, Do, Field, Submit } from "../../../shared/pages/Desk.tsx"
import { BoxesField, type Choices } from "../../../shared/pages/rows.tsx"
import { Limits } from "../parts/Limits.tsx"
import { useTexts } from "../useTexts.ts"

/** Most requirements of a type. */
const REQUIREMENTS_MAX = 5

type Subjects = "resource_uids" | "doctor_uids"

const subjectsOf = ({ resource_uids, doctor_uids }: Requirement) =>
  resource_uids === undefined
    ? (["doctor_uids", doctor_uids ?? []] as const)
    : (["resource_uids", resource_uids] as const)

/** One requirement as hidden fields. */
const hiddenOf = (requirement: Requirement, at: number) => {
  const [kind, uids] = subjectsOf(requirement)
  return [
    ...uids.map((uid) => [`requirements.${at}.${kind}`, uid] as const),
    [`requirements.${at}.count`, String(requirement.count)] as const
  ]
}

const HiddenList = ({ fields }: { readonly fields: ReadonlyArray<readonly [string, string]> }) => (
  <>
    {fields.map(([name, value]) => (
      <input key={`${name} ${value}`} type="hidden" name={name} value={value} />
    ))}
  </>
)

interface RequirementProps {
  readonly operation: string
  readonly kind: Subjects
  readonly choices: Choices
  readonly one: Requirement | null
  readonly others: ReadonlyArray<Requirement>
}

/** One requirement; the others are sent as hidden fields, since the list is replaced as a whole. */
const RequirementForm = ({ operation, kind, choices, one, others }: RequirementProps) => {
  const { practice, frame } = useTexts()
  const { takes: texts } = practice
  const [, chosen] = one === null ? [kind, []] : subjectsOf(one)
  const isChosen = (uid: string) => chosen.some((own) => own === uid)
  const names = choices.filter(([uid]) => isChosen(uid)).map(([, name]) => name)
  const title = one === null ? texts.addOf[kind] : `${one.count} × ${names.join(", ")}`
  const at = others.length
  const kept = others.flatMap(hiddenOf)
  if (choices.length === 0) return null
  return (
    <details>
      <summary>{title}</summary>
      <Do operation={operation} label={title}>
        <HiddenList fields={kept} />
        <BoxesField legend={texts.chosenFrom} name={`requirements.${at}.${kind}`} of={choices} isTicked={isChosen} />
        <Field
          label={texts.count}
          name={`requirements.${at}.count`}
          type="number"
          min={1}
          value={one?.count ?? 1}
          required
        />
        <Submit text={one === null ? practice.add : frame.save} look="secondary" />
      </Do>
      {one === null ? null : (
        <Do operation={operation} class="press">
          {others.length === 0 ? <input type="hidden" name="requirements" value="" /> : <HiddenList fields={kept} />}
          <Submit text={frame.remove} label={`${frame.remove}: ${title}`} look="quiet" />
        </Do>
      )}
    </details>
  )
}

interface TakesProps {
  readonly type: AppointmentType
  readonly resources: ReadonlyArray<Resource>
  readonly doctors: Choices
}

/** What an appointment of the type takes: buffers, the grid, seats, resources and further doctors, and limits. */
export const TakesCard = ({ type, resources, doctors }: TakesProps) => {
  const { practice, frame } = useTexts()
  const { takes: texts } = practice
  const operation = `PATCH /v1/management/scheduling/appointment-types/${type.uid}`
  const rooms = resources.map(({ uid, name }) => [uid, name] as const)
  const choices = { resource_uids: rooms, doctor_uids: doctors }
  const { requirements } = type
  const buffer = (label: string, name: "buffer_before_minutes" | "buffer_after_minutes") => (
    <Field label={label} name={name} type="number" min={0} max={240} value={type[name]} required />
  )
  return (
    <Card id="takes" title={texts.title}>
      <Do operation={operation} label={texts.title}>
        <div class="entries">
          {buffer(texts.bufferBefore, "buffer_before_minutes")}
          {buffer(texts.bufferAfter, "buffer_after_minutes")}
          <Field
            label={texts.step}
            name="slot_step_minutes"
            type="number"
            min={5}
            max={240}
            value={type.slot_step_minutes}
          />
          <Field
            label={texts.seats}
            name="seats"
            type="number"
            min={1}
            max={200}
            value={type.seats}
            help={texts.seatsHelp}
            required
          />
        </div>
        <Submit text={frame.save} look="secondary" />
      </Do>
      <h3>{texts.requirements}</h3>
      <p class="help">{requirements.length === 0 ? texts.noRequirements : texts.requirementsHelp}</p>
      {requirements.map((one, index) => {
        const [kind] = subjectsOf(one)
        return (
          <RequirementForm
            key={JSON.stringify(one)}
            operation={operation}
            kind={kind}
            choices={choices[kind]}
            one={one}
            others={requirements.filter((_, other) => other !== index)}
          />
        )
      })}
      {requirements.length >= REQUIREMENTS_MAX
        ? null
        : (["resource_uids", "doctor_uids"] as const).map((kind) => (
            <RequirementForm
              key={kind}
              operation={operation}
              kind={kind}
              choices={choices[kind]}
              one={null}
              others={requirements}
            />
          ))}
      <h3>{texts.limits}</h3>
      <Limits operation={operation} limits={type.limits} hasScope />
    </Card>
  )
}
