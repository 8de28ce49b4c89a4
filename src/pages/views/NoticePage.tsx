import type { ComponentChildren } from "preact"

/** A page with only a message: an invalid link, or an error of the service. */
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
