import { Field, Submit } from "../../../shared/pages/Desk.tsx"
import { useTexts } from "../useTexts.ts"

/** Staff of a pharmacy group choose the pharmacy. */
export const ScopePage = ({ address }: { readonly address: string }) => {
  const { pharmacy: texts, frame } = useTexts()
  return (
    <section class="card">
      <h1>{texts.choose}</h1>
      <form action={address} class="stack">
        <Field label="pharmacy_uid" name="pharmacy_uid" required />
        <Submit text={frame.search} />
      </form>
    </section>
  )
}
