import { type Problem, useTexts } from "./Desk.tsx"

/** Why a form was rejected; screen readers read it first. */
export const ProblemNotice = ({ problem }: { readonly problem: Problem }) => {
  const { problems } = useTexts()
  const known: Readonly<Record<string, string>> = problems
  return (
    <div class="notice warn" role="alert" tabindex={-1}>
      <strong>{known[problem.code] ?? problems.unknown}</strong>
      {problem.details.length === 0 ? null : (
        <ul>
          {problem.details.map((detail) => (
            <li key={detail}>{detail}</li>
          ))}
        </ul>
      )}
    </div>
  )
}

/** A secret that only this response contains. */
export const ShownOnce = ({ value }: { readonly value: string }) => {
  const { frame } = useTexts()
  return (
    <div class="notice" role="status">
      <strong>{frame.shownOnce}</strong>
      <output class="code" tabindex={0}>
        {value}
      </output>
    </div>
  )
}

export const DoneNotice = () => (
  <p class="notice" role="status" data-done>
    {useTexts().frame.done}
  </p>
)
