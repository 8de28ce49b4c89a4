import { articleName } from "../../../../schemas/pharmacy/articleName.ts"
import type { PharmacySku } from "../../../../schemas/pharmacy/PharmacySku.ts"
import { fill, plural } from "../../../../texts/fill.ts"
import { type Language, localeOf } from "../../../../texts/language.ts"
import { Card, Do, Empty, Field, PageHead, Submit, useDesk, useFormValues } from "../../../shared/pages/Desk.tsx"
import { money } from "../../../shared/pages/format.ts"
import { Pager } from "../../../shared/pages/Pager.tsx"
import { Table } from "../../../shared/pages/Table.tsx"
import { useTexts } from "../useTexts.ts"
import type { StockChange } from "./stockImport.ts"

const SKUS = "/v1/external_pharmacy_api/pharmacy_skus"
const euros = (language: Language, cents: number) =>
  new Intl.NumberFormat(localeOf(language), { minimumFractionDigits: 2, useGrouping: false }).format(cents / 100)

const SkuRow = ({ one, suffix }: { readonly one: PharmacySku; readonly suffix: string }) => {
  const { pharmacy: texts, frame, problems } = useTexts()
  const { problem, language } = useDesk()
  const operation = `PATCH ${SKUS}/${one.uid}${suffix}`
  const isConflict = problem?.operation === operation && problem.code === "precondition_failed"
  const typed = useFormValues(operation)
  const form = `sku-${one.uid}`
  const name = articleName(one.sku.product_display_name, one.sku.display_name)
  const field = (label: string, field: string, stored: string | number, mode: "decimal" | "numeric" | "text") => {
    const value = typed(field, stored)
    return (
      <>
        <input form={form} name={field} value={value} inputmode={mode} aria-label={`${label}: ${name}`} required />
        {isConflict && String(value) !== String(stored) ? (
          <small class="fault">{fill(problems.meanwhile, { value: String(stored) })}</small>
        ) : null}
      </>
    )
  }
  return (
    <tr>
      <td>
        {name}
        <br />
        <span class="help">{one.sku.pzn}</span>
      </td>
      <td>{field(texts.place, "external_id", one.external_id, "text")}</td>
      <td>{field(texts.stock, "stock", one.stock, "numeric")}</td>
      <td>{field(texts.price, "price@euro", euros(language, one.price), "decimal")}</td>
      <td>
        <Do operation={operation} id={form} class="press">
          <Submit text={frame.save} look="secondary" label={`${frame.save}: ${name}`} />
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
  const { pharmacy: texts } = useTexts()
  const { csrf } = useDesk()
  return (
    <>
      <PageHead title={texts.pages.stock} />
      <div class="card">
        {skus.length === 0 ? <Empty what="stock" to="#import" /> : null}
        <Table label={texts.pages.stock} columns={[texts.article, texts.place, texts.stock, texts.price, null]}>
          {skus.map((one) => (
            <SkuRow key={one.uid} one={one} suffix={suffix} />
          ))}
        </Table>
        <Pager page={page} pages={pages} />
      </div>
      <Card id="import" title={texts.importTitle}>
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
            <Submit text={texts.preview} />
          </p>
        </form>
      </Card>
    </>
  )
}

/** Preview of an import. */
export const StockPreview = ({
  rows,
  changes,
  suffix
}: {
  /** The imported text. */
  readonly rows: string
  readonly changes: ReadonlyArray<StockChange>
  readonly suffix: string
}) => {
  const { pharmacy: texts } = useTexts()
  const { language, versionOf } = useDesk()
  const valid = changes.filter(({ change }) => change !== null)
  const faulty = changes.filter(({ fault }) => fault !== null).length
  return (
    <>
      <PageHead title={texts.importTitle} />
      <div class="card">
        {faulty === 0 ? null : (
          <p class="notice warn" role="status">
            {plural(language, texts.refusedRows, faulty)}
          </p>
        )}
        <Table
          label={texts.preview}
          columns={[
            texts.article,
            { number: `${texts.stock} (${texts.was})` },
            { number: `${texts.stock} (${texts.becomes})` },
            { number: `${texts.price} (${texts.was})` },
            { number: `${texts.price} (${texts.becomes})` }
          ]}
        >
          {changes.map(({ line, sku, change, fault }, i) => (
            <tr key={`${i} ${line}`}>
              <td>
                {sku === null || fault !== null
                  ? line
                  : articleName(sku.sku.product_display_name, sku.sku.display_name)}
              </td>
              {sku === null || fault !== null ? (
                <td colspan={4}>
                  <span class="badge warn">{texts.faults[fault ?? "unknown"]}</span>
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
        </Table>
        {valid.length === 0 ? null : (
          <Do
            operation={`PATCH ${SKUS}/${suffix}`}
            to={`stock/apply${suffix}`}
            hidden={{ "@rows": rows }}
            class="press"
          >
            {valid.map(({ line, change }) => (
              <input
                key={line}
                type="hidden"
                name="data"
                value={JSON.stringify({ ...change, if_match: versionOf(`${SKUS}/${change?.uid}`) })}
              />
            ))}
            <Submit text={plural(language, texts.apply, valid.length)} />
          </Do>
        )}
      </div>
    </>
  )
}
