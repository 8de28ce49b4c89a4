/** What a patient has answered, as staff read it. */

import { fill } from "../../../texts/fill.ts"
import { useDesk, useTexts } from "../../shared/pages/Desk.tsx"
import { moment } from "../../shared/pages/format.ts"
import type { FormItem } from "../schemas/Form.ts"
import type { ReadFile, ReadForm } from "../schemas/TypeFields.ts"
import { flattened, textIn } from "../services/engine.ts"
import { saidOf, textsOf } from "../services/screens.ts"
import { useOwnTexts } from "./Builder.tsx"

/** A file's name as the link that opens it, with the picture itself. */
const File = ({ file }: { readonly file: ReadFile }) => {
  const texts = useOwnTexts()
  if (file.url === null)
    return <>{`${file.name}: ${texts.answers.files[file.status === "rejected" ? "rejected" : "scanning"]}`}</>
  return (
    <a href={file.url}>
      {file.media_type === "application/pdf" ? (
        file.name
      ) : (
        <img class="answered" src={file.url} alt={file.name} loading="lazy" />
      )}
    </a>
  )
}

export const Answers = ({ form }: { readonly form: ReadForm }) => {
  const { frame } = useTexts()
  const texts = useOwnTexts()
  const { language, zone } = useDesk()
  const shown = (item: FormItem, text: string) => {
    const file = item.type === "file" ? form.files.find(({ uid }) => uid === text) : undefined
    return file === undefined ? saidOf(item, text, language, frame, () => undefined) : <File file={file} />
  }
  return (
    <section>
      <h3>
        {[texts.answers.doors[form.door], form.title === null ? null : textIn(form.title, language, "de")]
          .filter(Boolean)
          .join(": ")}{" "}
        {form.is_new ? <span class="badge warn">{texts.answers.isNew}</span> : null}
        {form.complete ? null : <span class="badge">{texts.answers.draft}</span>}
      </h3>
      {form.updated_at === null ? null : (
        <p class="help">{fill(texts.answers.at, { time: moment(language, zone, form.updated_at) })}</p>
      )}
      <dl class="facts">
        {flattened(form.items).map((item) => {
          const all = textsOf(form.answers, item)
          return all.length === 0 ? null : (
            <div key={item.link_id}>
              <dt>{textIn(item.text, language, "de")}</dt>
              {all.map((one, index) => (
                <dd key={`${index}`} class="lines">
                  {shown(item, one)}
                </dd>
              ))}
            </div>
          )
        })}
      </dl>
    </section>
  )
}
