/** Forms: what a practice asks, item by item. Section 22. */
import { Option, Schema } from "effect"
import { DomainError, NotFoundError } from "../../../schemas/DomainError.ts"
import { listingFaults } from "../../../schemas/faults.ts"
import {
  body,
  Count,
  changes,
  described,
  Flag,
  integer,
  isText,
  LanguageTag,
  listOf,
  named,
  oneOf,
  Reason,
  UnixSeconds,
  withDefault,
  withExample
} from "../../../schemas/fields.ts"
import { uid } from "../../../schemas/ids.ts"
import { organisation_uid } from "../../../schemas/provisioning/tenancy.ts"
import { type Rule, withRules } from "../../../schemas/rules.ts"
import { faultsOfItems, ITEMS_MAX } from "./formRules.ts"

export class FormNotFound extends NotFoundError("FormNotFound", "Form") {}
export class FormInUse extends DomainError(
  "FormInUse",
  "An appointment type or a type of request asks the form: take it out there first"
) {}

export const FormUid = uid("FormUid", "frm")
export type FormUid = typeof FormUid.Type

const Written = Reason.annotations({ examples: ["Haben Sie Allergien?"] })
/** One text, or one for each language. */
export const FormText = Schema.Union(
  Written,
  Schema.Record({ key: LanguageTag, value: Written }).pipe(
    Schema.filter((texts) => Object.keys(texts).length > 0, { message: () => "must name at least one language" })
  )
).annotations({
  description: "One text, or one for each language: `{de, en, …}`",
  examples: ["Haben Sie Allergien?"]
})
export type FormText = typeof FormText.Type

const LinkId = Schema.String.pipe(
  Schema.pattern(/^[A-Za-z][A-Za-z0-9_-]{0,63}$/, {
    message: () => "must begin with a letter, and have at most 64 letters, digits, _ and -",
    jsonSchema: { maxLength: 64, pattern: "^[A-Za-z][A-Za-z0-9_-]{0,63}$" }
  })
).annotations({ examples: ["allergies"] })
const Scalar = Schema.Union(
  Schema.String.pipe(Schema.maxLength(2_000), Schema.filter(isText)),
  Schema.Number.pipe(Schema.between(-1e15, 1e15)),
  Schema.Boolean
).annotations({
  message: () => "must be text, a number, true or false",
  examples: [true]
})

export const Condition = Schema.Struct({
  link_id: described(
    Schema.String.pipe(Schema.maxLength(64)).annotations({ examples: ["allergies"] }),
    "An earlier item"
  ),
  operator: oneOf("=", "!=", ">", "<", "exists").annotations({
    description:
      "Without an answer only `exists: false` holds; of several answers one is enough, but `!=` counts for all"
  }),
  answer: described(Scalar, "What it is compared with; for `exists` true or false")
})
export type Condition = typeof Condition.Type

const bound = Schema.NullOr(Schema.Number.pipe(Schema.between(-1e15, 1e15)))
const plain = {
  link_id: LinkId,
  type: described(
    oneOf("group", "display", "boolean", "choice", "string", "text", "integer", "decimal", "date", "file"),
    "What it is: a group of items, a text to read, or a question"
  ),
  text: FormText,
  required: described(Flag, "Whether it must be answered where it is enabled"),
  repeats: described(Flag, "Whether it takes several answers"),
  options: listOf(
    Schema.Struct({
      code: Schema.String.pipe(Schema.pattern(/^[^\s]{1,64}$/), Schema.maxLength(64)).annotations({
        examples: ["yes"]
      }),
      text: FormText
    }),
    {
      max: 100,
      description: "What a `choice` offers"
    }
  ),
  max_length: Schema.NullOr(integer(1, 10_000, "Characters")).annotations({
    description: "Most characters of a `string` (null: 255) or a `text` (null: 2000)",
    examples: [200]
  }),
  min: described(bound, "Smallest number of an `integer` or a `decimal`"),
  max: described(bound, "Largest number of an `integer` or a `decimal`"),
  enable_when: listOf(Condition, { max: 20, description: "When it is asked; none: always" }),
  enable_behavior: described(oneOf("all", "any"), "Whether all conditions must hold, or one")
}

export interface FormItem extends Schema.Struct.Type<typeof plain> {
  readonly items: ReadonlyArray<FormItem>
}
export interface FormItemSent extends Schema.Struct.Encoded<typeof plain> {
  readonly items: ReadonlyArray<FormItemSent>
}

/** As stored and answered. */
export const FormItem: Schema.Schema<FormItem, FormItemSent> = Schema.Struct({
  ...plain,
  items: described(Schema.Array(Schema.suspend(() => FormItem).annotations({ identifier: "FormItem" })), "Of a `group`")
}).annotations({ identifier: "FormItem" })

const sent = {
  ...plain,
  required: withDefault(plain.required, false),
  repeats: withDefault(plain.repeats, false),
  options: withDefault(plain.options, []),
  max_length: withDefault(plain.max_length, null),
  min: withDefault(plain.min, null),
  max: withDefault(plain.max, null),
  enable_when: withDefault(plain.enable_when, []),
  enable_behavior: withDefault(plain.enable_behavior, "all")
}
interface NewItemSent extends Schema.Struct.Encoded<typeof sent> {
  readonly items?: ReadonlyArray<NewItemSent> | undefined
}
const NewItem: Schema.Schema<FormItem, NewItemSent> = Schema.Struct({
  ...sent,
  items: withDefault(
    listOf(Schema.suspend(() => NewItem).annotations({ jsonSchema: { $ref: "#/components/schemas/FormItem" } }), {
      max: ITEMS_MAX,
      description: "Of a `group`",
      example: []
    }),
    []
  )
})

const Items = listOf(NewItem, { min: 1, max: ITEMS_MAX, description: "The questions in their order" })
const fields = {
  title: FormText,
  items: Items,
  active: described(Flag, "Whether patients are asked it")
}

const question = { link_id: "allergies", type: "boolean", text: "Haben Sie Allergien?", required: true } as const

/** What is asked, as it is answered. */
export const AskedItems = Schema.Array(FormItem).annotations({
  description: "The questions in their order",
  examples: [[Schema.decodeSync(NewItem)(question)]]
})

export const Form = Schema.Struct({
  uid: FormUid,
  title: FormText,
  version: Count.annotations({ description: "From 1 on; a change of `items` makes the next one", examples: [1] }),
  items: AskedItems,
  active: fields.active,
  created_at: UnixSeconds,
  updated_at: UnixSeconds
}).annotations({ identifier: "Form" })
export type Form = typeof Form.Type

const decodeItems = Schema.decodeUnknownOption(Items)
/** Rules of a form as a whole, such as conditions that name items that do not come earlier. */
const itemsFit: Rule = ({ items }) => Option.match(decodeItems(items), { onNone: () => [], onSome: faultsOfItems })

export const NewForm = withExample(
  withRules(body({ ...fields, active: withDefault(fields.active, true) }), [itemsFit]),
  {
    title: "Anamnese",
    items: [
      question,
      {
        link_id: "which",
        type: "text",
        text: "Welche?",
        enable_when: [{ link_id: "allergies", operator: "=", answer: true }]
      }
    ]
  }
)
export type NewForm = typeof NewForm.Type
/** As `Items`; the JSON Schema of provisioning files stands alone, without the components of the OpenAPI document. */
const ItemsOfFile = Schema.suspend(() => Items).annotations({
  jsonSchema: { type: "array", minItems: 1, maxItems: ITEMS_MAX, items: { type: "object" } }
})
/** Of a provisioning file. */
export const FormEntry = withRules(
  Schema.Struct({
    uid: named(FormUid),
    organisation_uid,
    ...fields,
    items: ItemsOfFile,
    active: withDefault(fields.active, true)
  }),
  [itemsFit]
)
export type FormEntry = typeof FormEntry.Type
export const FormChanges = withExample(withRules(changes(fields), [itemsFit]), { title: "Anamnese", active: true })
export type FormChanges = typeof FormChanges.Type

/** Answers as sent, by `link_id`; what each may be, the form says. */
export const SentAnswers = Schema.Record({ key: Schema.String, value: Schema.Unknown }).annotations({
  description: "Answers by `link_id`; a list where the item repeats; of unknown and disabled items they are dropped",
  ...listingFaults
})
const Answer = Schema.Union(Schema.String, Schema.Number, Schema.Boolean)
export const Answers = Schema.Record({
  key: Schema.String,
  value: Schema.Union(Answer, Schema.Array(Answer))
}).annotations({
  identifier: "FormAnswers",
  description: "Answers by `link_id`; a list where the item repeats",
  examples: [{ allergies: true }]
})
export type Answers = typeof Answers.Type
