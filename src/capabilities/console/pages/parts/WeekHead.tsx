import type { ComponentChildren } from "preact"
import { longDay } from "../../../../pages/time.ts"
import { fill } from "../../../../texts/fill.ts"
import { PageHead, useAddress, useDesk } from "../../../shared/pages/Desk.tsx"
import { addDays } from "../../../shared/pages/zoned.ts"
import { useTexts } from "../useTexts.ts"

interface WeekHeadProps {
  /** Monday of the week, `2026-05-04`. */
  readonly monday: string
  /** Its midnight, Unix seconds. */
  readonly midnight: number
  /** The page's path, for its links. */
  readonly label: string
  readonly children?: ComponentChildren
}

/** Heading of a page that shows a week, with links to the previous and next week. */
export const WeekHead = ({ monday, midnight, label, children }: WeekHeadProps) => {
  const { frame } = useTexts()
  const { language, zone } = useDesk()
  const link = useAddress()
  return (
    <PageHead title={fill(frame.weekOf, { day: longDay(language, zone, midnight + 43_200) })}>
      <nav class="console-links" aria-label={label}>
        <a href={link({ week: addDays(monday, -7) })} aria-keyshortcuts="Alt+P">
          {frame.earlier}
        </a>
        <a href={link({ week: null })}>{frame.thisWeek}</a>
        <a href={link({ week: addDays(monday, 7) })} aria-keyshortcuts="Alt+N">
          {frame.later}
        </a>
      </nav>
      {children}
    </PageHead>
  )
}
