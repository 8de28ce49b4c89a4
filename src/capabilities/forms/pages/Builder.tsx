/** The builder of forms: a list of questions in one form, whose buttons add, move and remove them; only saving sends it. */

import type { Language } from "../../../texts/language.ts"
import { Ask, Do, Field, fieldsIn, Press, Submit, useDesk, useTexts } from "../../shared/pages/Desk.tsx"
import type { Choices } from "../../shared/pages/rows.tsx"
import type { Condition, Form, FormItem } from "../schemas/Form.ts"
import { deskTextsOf } from "../texts/desk.ts"
import { labelIn, nameOfTag, tagOf, tags, textsBy } from "./languages.ts"
import { codesOf, optionLines } from "./units.ts"

export const FORMS = "/v1/management/forms"
export const useOwnTexts = () => deskTextsOf(useDesk().language)

/** Questions of each type, in the order of the buttons. */
const types = ["boolean", "choice", "string", "text", "integer", "decimal", "date", "file", "display", "group"] as const

/** A value of a form's field by its name; undefined without one. */
type Value = (name: string) => string | undefined

/** What was typed into a form that always sends a field, otherwise what is stored. */
export const useValues = (
  operation: string,
  stored: Readonly<Record<string, unknown>>,
  field = "@operation"
): Value => {
  const { typed } = useDesk()
  const isTyped = typed("@operation")?.[0] === operation && typed(field) !== undefined
  return (name) => (isTyped ? typed(name)?.at(-1) : stored[name]?.toString())
}

/** A stored condition as its field. */
export const conditionField = ({ link_id, operator, answer }: Condition) => ({
  "link_id@when": `${link_id} ${operator} ${JSON.stringify(answer)}`
})

const optionFields = (options: FormItem["options"], language: Language) => {
  const all = options.map(({ code, text }) => ({ code, texts: textsBy(text, language) }))
  const written = [...new Set(all.flatMap(({ texts }) => Object.keys(texts)))]
  const [first = ""] = written
  return {
    "options@lines": Object.fromEntries(
      written.map((tag) => [tag, all.map(({ texts }) => texts[tag] ?? "").join("\n")])
    ),
    "options@codes": all.map(({ code, texts }) => `${code}\t${texts[first] ?? ""}`).join("\n")
  }
}

/** A stored item as its fields. */
const fieldsOf = ({ text, options, enable_when, items, ...item }: FormItem, language: Language): object => ({
  ...item,
  text: textsBy(text, language),
  ...optionFields(options, language),
  enable_when: enable_when.map(conditionField),
  items: items.map((one) => fieldsOf(one, language))
})

/** An earlier question, as conditions name it. */
export interface Asked {
  readonly link_id: string
  readonly type: string
  readonly text: string
  readonly options: Choices
}

/** A field for each language of a text; the first is required where the text is. */
export const TextFields = ({
  label,
  name,
  languages,
  value,
  required = false,
  autofocus = false,
  ...more
}: {
  readonly label: string
  readonly name: string
  readonly languages: ReadonlyArray<string>
  readonly value: Value
  readonly required?: boolean
  readonly autofocus?: boolean
  readonly rows?: number
  readonly help?: string
}) =>
  languages.map((tag, index) => (
    <Field
      key={tag}
      label={labelIn(languages)(label, tag)}
      name={`${name}.${tag}`}
      value={value(`${name}.${tag}`)}
      required={required && index === 0}
      autofocus={autofocus && index === 0}
      {...more}
    />
  ))

interface OfferedProps {
  /** Its path in the interface. */
  readonly path: string
  readonly name: string
  readonly active: boolean
}

/** Whether patients are offered it, with the presses that switch it and delete it. */
export const Offered = ({ path, name, active }: OfferedProps) => {
  const { frame } = useTexts()
  const texts = useOwnTexts()
  const act = active ? texts.switchOff : texts.switchOn
  return (
    <>
      <span class={active ? "badge" : "badge warn"}>{active ? texts.on : texts.off}</span>
      <Press
        operation={`PATCH ${path}`}
        hidden={{ active: String(!active) }}
        text={act}
        label={`${act}: ${name}`}
        look="quiet"
      />
      <Ask operation={`DELETE ${path}`} text={frame.remove} label={`${frame.remove}: ${name}`} />
    </>
  )
}

interface ConditionProps {
  /** The condition's place, `items.2.enable_when.0`. */
  readonly at: string
  readonly asked: ReadonlyArray<Asked>
  readonly value: Value
  readonly label: string
  /** The choice without a condition. */
  readonly none: string
}

/** Operators that compare answers with what is entered beside, and what that is. */
const compared: Readonly<Record<string, readonly [operators: ReadonlyArray<"=" | ">" | "<">, kind: string]>> = {
  integer: [["=", ">", "<"], "number"],
  decimal: [["=", ">", "<"], "number"],
  date: [["=", ">", "<"], "text"],
  string: [["="], "text"]
}

/** What a condition may say about a question, as choices: its answers one by one, or a comparison with what is entered beside. */
const comparisons = (
  { link_id, type, text, options }: Asked,
  texts: ReturnType<typeof useOwnTexts>,
  [yes, no]: readonly [string, string]
): Choices => {
  const isBoolean = type === "boolean"
  const answers = isBoolean ? [[true, yes] as const, [false, no] as const] : options
  const [operators, kind] = compared[type] ?? [[], ""]
  return [
    ...answers.map(([code, said]) => [`${link_id} = ${JSON.stringify(code)}`, `${text} – ${said}`] as const),
    ...operators.map((one) => [`${link_id} ${one} ${kind}`, `${text} ${texts.operators[one]} …`] as const),
    ...(isBoolean ? [] : [[`${link_id} exists true`, `${text} – ${texts.answered}`] as const]),
    ...(isBoolean ? [] : [[`${link_id} exists false`, `${text} – ${texts.notAnswered}`] as const])
  ]
}

const ConditionFields = ({ at, asked, value, label, none }: ConditionProps) => {
  const { frame } = useTexts()
  const texts = useOwnTexts()
  const choices = asked.flatMap((one) => comparisons(one, texts, [frame.yes, frame.no]))
  const own = value(`${at}.link_id@when`) ?? ""
  const [, named = "", operator = "", answer = ""] = /^(\S+) (\S+) (.*)$/s.exec(own) ?? []
  const isListed = own === "" || choices.some(([key]) => key === own)
  // a stored comparison with a value that is no choice
  const open = choices.find(
    ([key]) => key === `${named} ${operator} number` || key === `${named} ${operator} text`
  )?.[0]
  const stored = open === undefined || isListed ? undefined : answer.replaceAll(/^"|"$/g, "")
  const isCompared = choices.some(([key]) => / (number|text)$/.test(key))
  return (
    <>
      <Field
        label={label}
        name={`${at}.link_id@when`}
        value={isListed ? own : (open ?? own)}
        options={[["", none], ...choices, ...(isListed || open !== undefined ? [] : [[own, own] as const])]}
      />
      {isCompared ? (
        <Field label={texts.compared} name={`${at}.answer@when`} value={stored ?? value(`${at}.answer@when`)} />
      ) : null}
    </>
  )
}

/** Numbers of the entries of a list in the form. */
export const entriesIn = (value: Value, list: string, field: string) => {
  const numbers: Array<number> = []
  for (let at = 0; value(`${list}.${at}.${field}`) !== undefined; at++) numbers.push(at)
  return numbers
}

interface ConditionsProps extends Pick<ConditionProps, "asked" | "value" | "none"> {
  /** The list's place, `items.2.enable_when`. */
  readonly list: string
  readonly labels: readonly [first: string, further: string]
}

/** Places of the conditions that are chosen. */
const chosenIn = (value: Value, list: string) =>
  entriesIn(value, list, "link_id@when").filter((index) => value(`${list}.${index}.link_id@when`) !== "")

/** The conditions of a list, and one more to choose. */
export const Conditions = ({ list, labels: [first, further], ...more }: ConditionsProps) => {
  const chosen = chosenIn(more.value, list)
  return [...chosen, chosen.length].map((index) => (
    <ConditionFields key={index} at={`${list}.${index}`} label={index === 0 ? first : further} {...more} />
  ))
}

/** A button that changes the list of the form around it, which is not sent. */
export const ListButton = ({
  does,
  text,
  label
}: {
  readonly does: string
  readonly text: string
  readonly label?: string
}) => (
  <button type="submit" class="quiet" name="@list" value={does} formnovalidate aria-label={label}>
    {text}
  </button>
)

interface ItemsProps {
  readonly list: string
  readonly value: Value
  readonly languages: ReadonlyArray<string>
  /** Questions before, in the whole form; those of the list are added to it. */
  readonly earlier: Array<Asked>
  readonly next: string
  readonly depth: number
}

const Items = ({ list, value, languages, earlier, next, depth }: ItemsProps) => {
  const texts = useOwnTexts()
  return (
    <>
      <ol class="rows">
        {entriesIn(value, list, "type").map((index) => (
          <Item key={index} at={`${list}.${index}`} {...{ list, value, languages, earlier, next, depth }} />
        ))}
      </ol>
      <fieldset>
        <legend>{depth === 0 ? texts.add : texts.addInGroup}</legend>
        <p class="actions">
          {types.map((type) =>
            type === "group" && depth > 0 ? null : (
              <ListButton key={type} does={`${list} add type=${type}&link_id=${next}`} text={texts.types[type]} />
            )
          )}
        </p>
      </fieldset>
    </>
  )
}

const ofBounds = {
  integer: ["min", "max"],
  decimal: ["min", "max"],
  string: ["max_length"],
  text: ["max_length"]
} as const

/** One question with everything that is set about it. */
const Item = ({ at, value, languages, earlier, next, depth }: ItemsProps & { readonly at: string }) => {
  const { typed } = useDesk()
  const texts = useOwnTexts()
  const of = (name: string) => `${at}.${name}`
  const type = value(of("type")) as (typeof types)[number] // as the buttons make them
  const said = languages.map((tag) => value(of(`text.${tag}`))).find(Boolean) ?? ""
  const lines = languages.map((tag) => value(of(`options@lines.${tag}`))).find(Boolean)
  const codes = codesOf(optionLines(lines), value(of("options@codes")))
  const asked = [...earlier]
  const options = optionLines(lines).map((text, index) => [codes[index] ?? "", text] as const)
  const isAnswered = type !== "group" && type !== "display"
  if (isAnswered) earlier.push({ link_id: value(of("link_id")) ?? "", type, text: said, options })
  const box = (name: "required" | "repeats") => (
    <Field label={texts[name]} name={of(name)} type="checkbox" value={value(of(name))} />
  )
  const bounds = ofBounds[type as keyof typeof ofBounds] ?? []
  return (
    <li id={at}>
      <fieldset class="grow stack">
        <legend>{[texts.types[type], said].filter(Boolean).join(": ")}</legend>
        <input type="hidden" name={of("link_id")} value={value(of("link_id"))} />
        <input type="hidden" name={of("type")} value={type} />
        <TextFields
          label={type === "display" ? texts.text : type === "group" ? texts.heading : texts.question}
          name={of("text")}
          {...{ languages, value }}
          required
          autofocus={typed("@at")?.[0] === at}
        />
        {type === "choice" ? (
          <>
            <input
              type="hidden"
              name={of("options@codes")}
              value={options.map(([code, text]) => `${code}\t${text}`).join("\n")}
            />
            <TextFields
              label={texts.options}
              name={of("options@lines")}
              {...{ languages, value }}
              rows={3}
              help={texts.optionsHelp}
            />
          </>
        ) : null}
        <div class="entries">
          {isAnswered ? box("required") : null}
          {isAnswered && type !== "boolean" ? box("repeats") : null}
          {bounds.map((name) => (
            <Field key={name} label={texts.bounds[name]} name={of(name)} value={value(of(name))} />
          ))}
          {asked.length === 0 ? null : (
            <Conditions
              list={of("enable_when")}
              {...{ asked, value }}
              labels={[texts.onlyIf, texts.andIf]}
              none={texts.always}
            />
          )}
          {chosenIn(value, of("enable_when")).length < 2 ? null : (
            <Field
              label={texts.behaviour}
              name={of("enable_behavior")}
              value={value(of("enable_behavior"))}
              options={Object.entries(texts.behaviours)}
            />
          )}
        </div>
        {type === "group" ? (
          <Items list={of("items")} {...{ value, languages, earlier, next }} depth={depth + 1} />
        ) : null}
        <p class="actions">
          {(["up", "down", "remove"] as const).map((act) => (
            <ListButton key={act} does={`${at} ${act}`} text={texts.acts[act]} label={`${texts.acts[act]}: ${said}`} />
          ))}
        </p>
      </fieldset>
    </li>
  )
}

/** All of the list's questions with those of groups, by the names of their fields. */
const linkIds = (value: Value, list: string): ReadonlyArray<string> =>
  entriesIn(value, list, "type").flatMap((index) => [
    value(`${list}.${index}.link_id`) ?? "",
    ...linkIds(value, `${list}.${index}.items`)
  ])

/** Makes a form, or changes one. */
export const Builder = ({ form }: { readonly form: Form | null }) => {
  const { frame } = useTexts()
  const texts = useOwnTexts()
  const { language } = useDesk()
  const operation = form === null ? `POST ${FORMS}` : `PATCH ${FORMS}/${form.uid}`
  const stored =
    form === null
      ? { [`title.${tagOf(language)}`]: "" }
      : {
          ...fieldsIn("title", textsBy(form.title, language)),
          ...fieldsIn(
            "items",
            form.items.map((item) => fieldsOf(item, language))
          )
        }
  const value = useValues(operation, stored)
  const all = new Set([...tags, ...Object.keys(stored).flatMap((name) => /^title\.(.+)/.exec(name)?.[1] ?? [])])
  const [languages = [], others = []] = [true, false].map((isThere) =>
    [...all].filter((tag) => (value(`title.${tag}`) !== undefined) === isThere)
  )
  const ids = linkIds(value, "items")
  // no question has the name of one that is gone, whose answers would be its own
  const begins = form === null ? "q" : `q${form.version}-`
  const numbers = ids.filter((id) => id.startsWith(begins)).map((id) => Number(id.slice(begins.length)) || 0)
  const next = `${begins}${1 + Math.max(0, ...numbers)}`
  const save = <Submit text={frame.save} />
  return (
    <Do
      operation={operation}
      label={texts.form}
      list={ids.join(" ")}
      {...(form === null && { back: "/console/practice/forms/{uid}" })}
    >
      <p class="actions">{save}</p>
      <TextFields label={texts.title} name="title" {...{ languages, value }} required />
      <details>
        <summary>{texts.otherLanguage}</summary>
        <p class="actions">
          {others.map((tag) => (
            <ListButton key={tag} does={`title set ${tag}=`} text={nameOfTag(tag)} />
          ))}
        </p>
      </details>
      <Items list="items" {...{ value, languages, next }} earlier={[]} depth={0} />
      <p class="actions">{save}</p>
    </Do>
  )
}
