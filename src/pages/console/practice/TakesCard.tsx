import type { AppointmentType } from "../../../schemas/scheduling/AppointmentType.ts"
import type { Resource } from "../../../schemas/scheduling/Resource.ts"
import { Card, Do, Field, Press, Submit, useTexts } from "../Desk.tsx"

interface TakesProps {
  readonly type: AppointmentType
  readonly resources: ReadonlyArray<Resource>
}

/** Of requirements beyond one choice of resources the form says that they exist: saving it would remove them. */
const isSimple = ({ requirements }: AppointmentType) =>
  requirements.length === 0 || (requirements.length === 1 && requirements[0]?.resource_uids !== undefined)

/** What an appointment of the type takes: resources, buffers, the grid, seats, and limits. */
export const TakesCard = ({ type, resources }: TakesProps) => {
  const { practice, frame } = useTexts()
  const { takes: texts } = practice
  const change = `PATCH /v1/management/scheduling/appointment-types/${type.uid}`
  const [requirement] = type.requirements
  const limits = type.limits.length === 0 ? [{ per: "day", max: 4, scope: "doctor" }] : type.limits
  return (
    <Card id="takes" title={texts.title}>
      <Do operation={change} class="stack" label={texts.title}>
        <div class="entries">
          <Field
            label={texts.bufferBefore}
            name="buffer_before_minutes"
            type="number"
            min={0}
            value={type.buffer_before_minutes}
            required
          />
          <Field
            label={texts.bufferAfter}
            name="buffer_after_minutes"
            type="number"
            min={0}
            value={type.buffer_after_minutes}
            required
          />
          <Field
            label={texts.step}
            name="slot_step_minutes"
            type="number"
            min={5}
            value={type.slot_step_minutes ?? undefined}
          />
          <Field label={texts.seats} name="seats" type="number" min={1} value={type.seats} required />
        </div>
        <Submit text={frame.save} look="secondary" />
      </Do>
      <h3>{practice.pages.resources}</h3>
      {!isSimple(type) ? (
        <p class="help">{texts.others}</p>
      ) : resources.length === 0 ? (
        <p class="help">{frame.none}</p>
      ) : (
        <Do operation={change} class="stack" label={practice.pages.resources}>
          <fieldset>
            <legend>{texts.chosenFrom}</legend>
            {resources.map(({ uid, name }) => (
              <label key={uid}>
                <input
                  type="checkbox"
                  name="requirements.0.resource_uids"
                  value={uid}
                  checked={requirement?.resource_uids?.some((one) => one === uid) ?? false}
                />{" "}
                {name}
              </label>
            ))}
          </fieldset>
          <Field
            label={texts.count}
            name="requirements.0.count"
            type="number"
            min={1}
            value={requirement?.count ?? 1}
            required
          />
          <Submit text={frame.save} look="secondary" />
        </Do>
      )}
      {type.requirements.length === 0 ? null : (
        <Press
          operation={change}
          hidden={{ requirements: "" }}
          text={texts.none}
          label={`${practice.pages.resources}: ${texts.none}`}
          look="quiet"
        />
      )}
      <h3>{texts.limits}</h3>
      <Do operation={change} class="stack" label={texts.limits}>
        {limits.map(({ per, max, scope }, index) => (
          <div class="entries" key={`${per} ${max} ${scope}`}>
            <Field label={texts.max} name={`limits.${index}.max`} type="number" min={1} value={max} required />
            <Field label={texts.per} name={`limits.${index}.per`} value={per} options={Object.entries(texts.periods)} />
            <Field
              label={texts.scope}
              name={`limits.${index}.scope`}
              value={scope}
              options={Object.entries(texts.scopes)}
            />
          </div>
        ))}
        <Submit text={frame.save} look="secondary" />
      </Do>
      {type.limits.length === 0 ? null : (
        <Press
          operation={change}
          hidden={{ limits: "" }}
          text={texts.none}
          label={`${texts.limits}: ${texts.none}`}
          look="quiet"
        />
      )}
    </Card>
  )
}
