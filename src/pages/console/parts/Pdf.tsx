import { useTexts } from "../Desk.tsx"

interface PdfProps {
  /** The file's signed address. */
  readonly url: string
  readonly label: string
}

/** A PDF inside the page, by the console's own address: the page may show nothing of other origins. Where a browser shows none, a link. */
export const Pdf = ({ url, label }: PdfProps) => {
  const { doctor: texts } = useTexts()
  const path = new URL(url).pathname
  return (
    <object class="pdf" type="application/pdf" data={path} aria-label={label}>
      <a class="secondary" href={path} target="_blank" rel="noopener">
        {texts.showPdf}
      </a>
    </object>
  )
}
