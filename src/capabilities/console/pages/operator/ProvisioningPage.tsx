import { plural } from "../../../../texts/fill.ts"
import { Card, Do, Field, PageHead, Submit, useDesk } from "../../../shared/pages/Desk.tsx"
import type { ProvisioningResult } from "../../schemas/Installation.ts"
import { useTexts } from "../useTexts.ts"

interface ProvisioningProps {
  readonly file: string
  readonly reset: boolean
  /** The result of the dry run; null if no file was sent, or if it was rejected. */
  readonly found: ProvisioningResult | null
  /** The tag of the result, which must still be the same when the file is applied. */
  readonly version: string | null
}

/** A provisioning file: the first submit shows its differences, the second applies it. */
export const ProvisioningPage = ({ file, reset, found, version }: ProvisioningProps) => {
  const { operator: texts } = useTexts()
  const { csrf, language } = useDesk()
  return (
    <>
      <PageHead title={texts.pages.provisioning} />
      {found === null ? null : (
        <Card id="differences" title={texts.differences}>
          {found.differences.length === 0 ? <p class="help">{texts.noDifferences}</p> : null}
          <ul class="rows">
            {found.differences.map(({ list, index, outcome, fields }) => (
              <li key={`${list} ${index}`}>
                <span class="grow">
                  <code>{`${list}[${index}]`}</code>
                  {fields.map(({ field, before, after }) => (
                    <span key={field}>
                      <br />
                      {`${field}: `}
                      {before === null && after === null ? texts.hidden : `${before ?? "–"} → ${after ?? "–"}`}
                    </span>
                  ))}
                </span>
                <span class={outcome === "kept" ? "badge warn" : "badge"}>{texts.outcomes[outcome]}</span>
              </li>
            ))}
          </ul>
          {found.written === 0 ? null : (
            <Do
              operation="POST /v1/operator/provisioning"
              hidden={{ file, reset: String(reset), dry_run: "false", "@version": version }}
              back="/console/operator/provisioning"
              class="press"
            >
              <Submit text={plural(language, texts.apply, found.written)} />
            </Do>
          )}
        </Card>
      )}
      <section class="card" aria-label={texts.fileText}>
        <form method="post" action="/console/operator/provisioning" class="stack">
          <input type="hidden" name="@csrf" value={csrf} />
          <Field label={texts.file} name="@file" type="file" />
          <Field label={texts.fileText} name="file" rows={12} value={file} help={texts.fileHelp} required />
          <Field label={texts.reset} name="reset" type="checkbox" value={reset ? "true" : ""} />
          <p class="actions">
            <Submit text={texts.compare} />
          </p>
        </form>
      </section>
    </>
  )
}
