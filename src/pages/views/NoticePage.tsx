import type { ComponentChildren } from "preact"

/** A page with a message alone: a link that no longer holds, a fault of ours. */
export const NoticePage = ({
  title,
  text,
  children
}: {
  readonly title: string
  readonly text: string
  readonly children?: ComponentChildren
}) => (
  <div class="card plain">
    <h1>{title}</h1>
    <p>{text}</p>
    {children}
  </div>
)
