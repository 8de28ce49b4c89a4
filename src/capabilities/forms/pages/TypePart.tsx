/** What an appointment type asks before booking and before the visit, on the page of types. */

import { fill } from "../../../texts/fill.ts"
import type { Language } from "../../../texts/language.ts"
import { Card, Do, Field, fieldsIn, Press, Submit, useDesk, useTexts } from "../../shared/pages/Desk.tsx"
import type { Choices } from "../../shared/pages/rows.tsx"
import type { Form } from "../schemas/Form.ts"
import { isAnswered } from "../schemas/formRules.ts"
import type { Entry, Intake } from "../schemas/TypeFields.ts"
import { flattened, textIn } from "../services/engine.ts"
import {
  type Asked,
  Conditions,
  conditionField,
  entriesIn,
  ListButton,
  TextFields,
  useOwnTexts,
  useValues
} from "./Builder.tsx"
import { tagOf, textsBy } from "./languages.ts"

interface TypeProps {
  readonly uid: string
  readonly entry: Entry
  readonly intake: Intake
  readonly forms: ReadonlyArray<Form>
  /** The other types. */
  readonly types: Choices
}

/** The fields of what is stored. */
const fieldsOf = (entry: Entry, language: Language) => ({
  "entry.form_uid": entry?.form_uid ?? "",
  "entry.otherwise": entry?.otherwise ?? "continue",
  ...fieldsIn(
    "entry.rules",
    (entry?.rules ?? []).map(({ when, then, appointment_type_uid, text }) => ({
      "then@outcome": then === "type" ? `type ${appointment_type_uid}` : then,
      text: text === null ? {} : textsBy(text, language),
      when: when.map(conditionField)
    }))
  )
})

/** The rules before booking. */
const EntryForm = ({ uid, entry, forms, types }: TypeProps) => {
  const { frame } = useTexts()
  const { ofType: texts } = useOwnTexts()
  const { language } = useDesk()
  const operation = `PATCH /v1/management/scheduling/appointment-types/${uid}`
  const value = useValues(operation, fieldsOf(entry, language), "entry.otherwise")
  const form = forms.find(({ uid }) => uid === value("entry.form_uid"))
  const asked: ReadonlyArray<Asked> = [
    { link_id: "@known_patient", type: "boolean", text: texts.builtIn.known, options: [] },
    { link_id: "@age", type: "integer", text: texts.builtIn.age, options: [] },
    { link_id: "@zip", type: "string", text: texts.builtIn.zip, options: [] },
    ...flattened(form?.items ?? [])
      .filter(isAnswered)
      .map(({ link_id, type, text, options }) => ({
        link_id,
        type,
        text: textIn(text, language, "de"),
        options: options.map((one) => [one.code, textIn(one.text, language, "de")] as const)
      }))
  ]
  const outcomes = [
    ...Object.entries(texts.outcomes),
    ...types.map(([type, name]) => [`type ${type}`, fill(texts.toType, { name })] as const)
  ]
  const rules = entriesIn(value, "entry.rules", "then@outcome")
  return (
    <Do operation={operation} label={texts.entry} list={rules.join(" ")}>
      <Field
        label={texts.entry}
        name="entry.form_uid"
        value={value("entry.form_uid")}
        options={[["", texts.noForm], ...forms.map(({ uid, title }) => [uid, textIn(title, language, "de")] as const)]}
      />
      {rules.map((index) => {
        const at = `entry.rules.${index}`
        const said = Object.keys(textsBy(entry?.rules[index]?.text ?? {}, language))
        const languages = [...new Set([tagOf(language), ...said])]
        return (
          <fieldset key={index} id={at}>
            <legend>{fill(texts.rule, { n: String(index + 1) })}</legend>
            <div class="entries">
              <Conditions
                list={`${at}.when`}
                {...{ asked, value }}
                labels={[texts.if, texts.and]}
                none={texts.nothing}
              />
              <Field
                label={texts.leads}
                name={`${at}.then@outcome`}
                value={value(`${at}.then@outcome`)}
                options={outcomes}
              />
              <TextFields label={texts.say} name={`${at}.text`} {...{ languages, value }} />
            </div>
            <ListButton
              does={`${at} remove`}
              text={frame.remove}
              label={`${frame.remove}: ${fill(texts.rule, { n: String(index + 1) })}`}
            />
          </fieldset>
        )
      })}
      <Field
        label={texts.otherwise}
        name="entry.otherwise"
        value={value("entry.otherwise")}
        options={Object.entries(texts.outcomes)}
      />
      <p class="actions">
        <Submit text={frame.save} look="secondary" />
        <ListButton does="entry.rules add then%40outcome=refuse" text={texts.addRule} />
      </p>
    </Do>
  )
}

/** Usual rules, by one press each. */
const usual = (leads: Readonly<Record<string, string>>) => ({
  "entry.form_uid": "",
  "entry.otherwise": "continue",
  "entry.rules.0.when.0.link_id": "@known_patient",
  "entry.rules.0.when.0.operator": "=",
  "entry.rules.0.when.0.answer": "false",
  ...leads
})

const EntryCard = (props: TypeProps) => {
  const { ofType: texts } = useOwnTexts()
  const { language } = useDesk()
  const operation = `PATCH /v1/management/scheduling/appointment-types/${props.uid}`
  return (
    <Card id="entry" title={texts.entry}>
      <p class="help">{texts.entryHelp}</p>
      {props.entry !== null ? null : (
        <p class="actions">
          <Press
            operation={operation}
            hidden={usual({
              "entry.rules.0.then": "refuse",
              [`entry.rules.0.text.${tagOf(language)}`]: texts.onlyKnownText
            })}
            text={texts.onlyKnown}
          />
          {props.types.map(([type, name]) => (
            <Press
              key={type}
              operation={operation}
              hidden={usual({ "entry.rules.0.then": "type", "entry.rules.0.appointment_type_uid": type })}
              text={fill(texts.newElsewhere, { name })}
              look="quiet"
            />
          ))}
        </p>
      )}
      {props.entry === null ? (
        <details>
          <summary>{texts.start}</summary>
          <EntryForm {...props} />
        </details>
      ) : (
        <>
          <Press operation={operation} hidden={{ entry: "" }} text={texts.none} look="quiet" />
          <EntryForm {...props} />
        </>
      )}
    </Card>
  )
}

const PLACES = [0, 1, 2]

const IntakeCard = ({ uid, intake, forms }: TypeProps) => {
  const { frame } = useTexts()
  const { ofType: texts } = useOwnTexts()
  const { language } = useDesk()
  const choices = forms.map((one) => [one.uid, textIn(one.title, language, "de")] as const)
  return (
    <Card id="intake" title={texts.intake}>
      <p class="help">{texts.intakeHelp}</p>
      <Do
        operation={`PATCH /v1/management/scheduling/appointment-types/${uid}`}
        hidden={{ intake: "" }}
        label={texts.intake}
      >
        {PLACES.map((at) => {
          const one = intake[at]
          const due = String(one?.due_minutes_before ?? 4320)
          const dues = Object.entries(texts.dues)
          return (
            <div key={at} class="entries">
              <Field
                label={`${texts.intake} ${at + 1}`}
                name={`intake.${at}.form_uid@asked`}
                value={one?.form_uid}
                options={[["", texts.nothing], ...choices]}
              />
              <Field
                label={texts.due}
                name={`intake.${at}.due_minutes_before@asked`}
                value={due}
                options={dues.some(([key]) => key === due) ? dues : [...dues, [due, due]]}
              />
              <Field
                label={texts.blocks}
                name={`intake.${at}.blocks@asked`}
                value={one?.blocks}
                options={Object.entries(texts.blocking)}
              />
            </div>
          )
        })}
        <Submit text={frame.save} look="secondary" />
      </Do>
    </Card>
  )
}

export const TypePart = (props: TypeProps) => (
  <div class="board">
    <EntryCard {...props} />
    <IntakeCard {...props} />
  </div>
)
