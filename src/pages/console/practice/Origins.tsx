import { Do, Field, useTexts } from "../Desk.tsx"

interface OriginsProps {
  readonly name: "embed_origins" | "return_url_origins"
  readonly label: string
  readonly origins: ReadonlyArray<string>
}

/** A list of origins of the practice, with a place for one more. */
export const Origins = ({ name, label, origins }: OriginsProps) => {
  const { frame } = useTexts()
  return (
    <Do operation="PATCH /v1/management/organisation" class="stack">
      {[...origins, ""].map((origin, index) => (
        <Field key={origin} label={`${label} ${index + 1}`} name={name} type="url" value={origin} />
      ))}
      <button type="submit" class="secondary">
        {frame.save}
      </button>
    </Do>
  )
}
