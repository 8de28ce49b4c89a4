import { type Problem, useDesk } from "../../../pages/staff/Desk.tsx"
import { useTexts } from "./useTexts.ts"

/** Why a form was rejected; screen readers read it first. Fields are named as the form names them. */
export const ProblemNotice = ({ problem }: { readonly problem: Problem }) => {
  const { problems } = useTexts()
  const { labels } = useDesk()
  const known: Readonly<Record<string, string>> = problems.codes
  return (
    <div class="notice warn" role="alert" tabindex={-1}>
      <strong>{known[problem.code] ?? problems.unknown}</strong>
      {problem.faults.length === 0 ? null : (
        <ul>
          {problem.faults.map(({ field, text }) => {
            const label = labels.get(field)
            return <li key={`${field} ${text}`}>{label === undefined ? text : `${label}: ${text}`}</li>
          })}
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
