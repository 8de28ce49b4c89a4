import type { ComponentChildren } from "preact"

export interface ScrollProps {
  readonly label?: string
  /** Id of the heading that labels it, instead of a label. */
  readonly labelledBy?: string
  readonly children: ComponentChildren
}

/** A table that may be wider than the page. It is focusable, so that the arrow keys scroll it. */
export const Scroll = ({ label, labelledBy, children }: ScrollProps) => (
  <section class="table-scroll" aria-label={label} aria-labelledby={labelledBy} tabindex={0}>
    {children}
  </section>
)
