import type { ComponentChildren } from "preact"

interface ScrollProps {
  readonly label?: string
  /** Identifier of the heading that names it; in place of a label. */
  readonly labelledBy?: string
  readonly children: ComponentChildren
}

/** A table that may be wider than the page. It can have the focus, so that the arrow keys move it. */
export const Scroll = ({ label, labelledBy, children }: ScrollProps) => (
  <section class="table-scroll" aria-label={label} aria-labelledby={labelledBy} tabindex={0}>
    {children}
  </section>
)
