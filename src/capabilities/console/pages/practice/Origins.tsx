import { Do, Field, Submit } from "../../../shared/pages/Desk.tsx"
import { useTexts } from "../useTexts.ts"

interface OriginsProps {
  readonly name: "embed_origins" | "return_url_origins"
  readonly label: string
  readonly origins: ReadonlyArray<string>
}

/** An editable list of origins, with one empty field for a new one. */
export const Origins = ({ name, label, origins }: OriginsProps) => {
  const { frame } = useTexts()
  return (
    <Do operation="PATCH /v1/management/organisation">
      {[...origins, ""].map((origin, index) => (
        <Field key={origin} label={`${label} ${index + 1}`} name={name} type="url" value={origin} />
      ))}
      <Submit text={frame.save} look="secondary" />
    </Do>
  )
}
