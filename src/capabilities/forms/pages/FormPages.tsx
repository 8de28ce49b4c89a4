import { PageLanguage } from "../../../pages/views/pageLanguage.ts"
import { fill } from "../../../texts/fill.ts"
import { Card, listFields, PageHead, Press, Rows, useDesk } from "../../shared/pages/Desk.tsx"
import { RecordLink, Subject } from "../../shared/pages/rows.tsx"
import type { Form } from "../schemas/Form.ts"
import { judge, textIn } from "../services/engine.ts"
import { readyForms } from "../texts/ready.ts"
import { Builder, FORMS, Offered, useOwnTexts } from "./Builder.tsx"
import { AskedQuestions, type Asking } from "./QuestionPages.tsx"

/** The practice's forms, and those that it can copy. */
export const FormsPage = ({ forms }: { readonly forms: ReadonlyArray<Form> }) => {
  const texts = useOwnTexts()
  const { language, practice } = useDesk()
  return (
    <>
      <PageHead title={texts.forms}>
        <a class="primary" href={`${practice}/forms/new`}>
          {texts.newForm}
        </a>
      </PageHead>
      <div class="board">
        <Card id="forms" title={texts.forms}>
          <Rows of={forms} empty={{ what: { name: "forms", ...texts.noForms } }}>
            {({ uid, title, version, active }) => {
              const name = textIn(title, language, "de")
              return (
                <li key={uid}>
                  <Subject below={[fill(texts.version, { n: String(version) })]}>
                    <RecordLink of="forms" uid={uid} text={name} />
                  </Subject>
                  <Offered path={`${FORMS}/${uid}`} name={name} active={active} />
                </li>
              )
            }}
          </Rows>
        </Card>
        <Card id="ready" title={texts.ready}>
          <p class="help">{texts.readyHelp}</p>
          <p class="actions">
            {Object.entries(readyForms).map(([key, { title, items }]) => (
              <Press
                key={key}
                operation={`POST ${FORMS}`}
                hidden={{ ...listFields("items", items), "title.de": title.de, "title.en": title.en }}
                back={`${practice}/forms/{uid}`}
                text={fill(texts.copy, { title: textIn(title, language) })}
              />
            ))}
          </p>
        </Card>
      </div>
    </>
  )
}

/** A form without answers. */
const unanswered = ({ items }: Form): Asking => {
  const { enabled } = judge(items, {})
  return { enabled, texts: () => [], fault: () => null, files: [] }
}

/** One form in the builder; null: a new one. */
export const FormPage = ({ form }: { readonly form: Form | null }) => {
  const texts = useOwnTexts()
  const { language, practice } = useDesk()
  return (
    <>
      <PageHead title={form === null ? texts.newForm : textIn(form.title, language, "de")}>
        {form === null ? null : <span class="badge">{fill(texts.version, { n: String(form.version) })}</span>}
        <a class="quiet" href={`${practice}/forms`}>
          {texts.forms}
        </a>
      </PageHead>
      <div class="board">
        <Card id="builder" title={texts.form}>
          <Builder form={form} />
        </Card>
        {form === null ? null : (
          <Card id="preview" title={texts.preview}>
            <p class="help">{texts.previewHelp}</p>
            <PageLanguage.Provider value={language}>
              <fieldset disabled class="stack preview" aria-labelledby="preview">
                <AskedQuestions of={unanswered(form)} items={form.items} />
              </fieldset>
            </PageLanguage.Provider>
          </Card>
        )}
      </div>
    </>
  )
}
