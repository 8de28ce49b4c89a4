import { useTexts } from "../useTexts.ts"

interface PdfProps {
  /** The file's signed URL. */
  readonly url: string
  readonly label: string
}

/** A PDF in the page, served by the console itself because the CSP forbids other origins. Browsers that cannot show it get a link. */
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
