import type { PharmacySku } from "../../../schemas/pharmacy/PharmacySku.ts"
import { fill } from "../../../texts/fill.ts"
import { Do, Field, useDesk, useFormValues, useTexts } from "../Desk.tsx"
import { money } from "../parts/format.ts"
import { Pager } from "../parts/Pager.tsx"
import { Scroll } from "../parts/Scroll.tsx"
import type { StockChange } from "./stockImport.ts"

const SKUS = "/v1/external_pharmacy_api/pharmacy_skus"
const euros = (cents: number) => (cents / 100).toFixed(2)

const SkuRow = ({ one, suffix }: { readonly one: PharmacySku; readonly suffix: string }) => {
  const { pharmacy: texts, frame } = useTexts()
  const operation = `PATCH ${SKUS}/${one.uid}${suffix}`
  const typed = useFormValues(operation)
  const form = `sku-${one.uid}`
  const name = one.sku.display_name
  const field = (
    label: string,
    field: string,
    value: string | number | undefined,
    mode: "decimal" | "numeric" | "text"
  ) => <input form={form} name={field} value={value} inputmode={mode} aria-label={`${label}: ${name}`} required />
  return (
    <tr>
      <td>
        {name}
        <br />
        <span class="help">{one.sku.pzn}</span>
      </td>
      <td>{field(texts.place, "external_id", typed("external_id", one.external_id), "text")}</td>
      <td>{field(texts.stock, "stock", typed("stock", one.stock), "numeric")}</td>
      <td>{field(texts.price, "price@euro", typed("price@euro", euros(one.price)), "decimal")}</td>
      <td>
        <Do operation={operation} id={form}>
          <button type="submit" class="secondary" aria-label={`${frame.save}: ${name}`}>
            {frame.save}
          </button>
        </Do>
      </td>
    </tr>
  )
}

interface StockProps {
  readonly skus: ReadonlyArray<PharmacySku>
  readonly page: number
  readonly pages: number
  readonly suffix: string
}

/** Stock and prices: edited row by row or imported in bulk. */
export const StockPage = ({ skus, page, pages, suffix }: StockProps) => {
  const { pharmacy: texts, frame } = useTexts()
  const { csrf } = useDesk()
  return (
    <>
      <header class="page-head">
        <h1>{texts.pages.stock}</h1>
      </header>
      <div class="card">
        {skus.length === 0 ? <p class="help">{frame.none}</p> : null}
        <Scroll label={texts.pages.stock}>
          <table>
            <thead>
              <tr>
                <th>{texts.article}</th>
                <th>{texts.place}</th>
                <th>{texts.stock}</th>
                <th>{texts.price}</th>
                <td />
              </tr>
            </thead>
            <tbody>
              {skus.map((one) => (
                <SkuRow key={one.uid} one={one} suffix={suffix} />
              ))}
            </tbody>
          </table>
        </Scroll>
        <Pager page={page} pages={pages} />
      </div>
      <section class="card" aria-labelledby="import">
        <h2 id="import">{texts.importTitle}</h2>
        <form method="post" action={`/console/pharmacy/stock/preview${suffix}`} class="stack">
          <input type="hidden" name="@csrf" value={csrf} />
          <Field label={texts.file} name="@file" type="file" />
          <Field
            label={texts.importTitle}
            name="rows"
            rows={6}
            help={texts.importHelp}
            placeholder={"12345678;40;5,99"}
          />
          <p class="actions">
            <button type="submit" class="primary">
              {texts.preview}
            </button>
          </p>
        </form>
      </section>
    </>
  )
}

/** Preview of an import. */
export const StockPreview = ({
  changes,
  suffix
}: {
  readonly changes: ReadonlyArray<StockChange>
  readonly suffix: string
}) => {
  const { pharmacy: texts } = useTexts()
  const { language } = useDesk()
  const valid = changes.filter(({ change }) => change !== null)
  const forms = texts.apply
  return (
    <>
      <header class="page-head">
        <h1>{texts.importTitle}</h1>
      </header>
      <div class="card">
        <Scroll label={texts.preview}>
          <table>
            <thead>
              <tr>
                <th>{texts.article}</th>
                <th class="number">{`${texts.stock} (${texts.was})`}</th>
                <th class="number">{`${texts.stock} (${texts.becomes})`}</th>
                <th class="number">{`${texts.price} (${texts.was})`}</th>
                <th class="number">{`${texts.price} (${texts.becomes})`}</th>
              </tr>
            </thead>
            <tbody>
              {changes.map(({ line, sku, change }) => (
                <tr key={line}>
                  <td>{sku === null ? line : sku.sku.display_name}</td>
                  {sku === null ? (
                    <td colspan={4}>
                      <span class="badge warn">{texts.unknown}</span>
                    </td>
                  ) : (
                    <>
                      <td class="number">{sku.stock}</td>
                      <td class="number">{change?.stock ?? texts.unchanged}</td>
                      <td class="number">{money(language, sku.price)}</td>
                      <td class="number">
                        {change?.price === undefined ? texts.unchanged : money(language, change.price)}
                      </td>
                    </>
                  )}
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
        {valid.length === 0 ? null : (
          <Do operation={`PATCH ${SKUS}/${suffix}`} back={`/console/pharmacy/stock${suffix}`}>
            {valid.map(({ line, change }) => (
              <input key={line} type="hidden" name="data" value={JSON.stringify(change)} />
            ))}
            <button type="submit" class="primary">
              {fill(valid.length === 1 ? (forms.one ?? forms.other) : forms.other, { n: String(valid.length) })}
            </button>
          </Do>
        )}
      </div>
    </>
  )
}
