import type { ComponentChildren } from "preact"

export const Icon = ({
  children,
  direction
}: {
  readonly children: ComponentChildren
  readonly direction?: string
}) => (
  <svg
    class={direction === undefined ? "icon" : `icon ${direction}`}
    viewBox="0 0 24 24"
    width="20"
    height="20"
    fill="none"
    stroke="currentColor"
    stroke-width="1.8"
    stroke-linecap="round"
    stroke-linejoin="round"
    aria-hidden="true"
    focusable="false"
  >
    {children}
  </svg>
)

/** A speech bubble that is also a clock. */
export const LogoMark = () => (
  <svg class="mark" viewBox="0 0 32 32" width="28" height="28" aria-hidden="true" focusable="false">
    <path
      fill="currentColor"
      d="M16 3a12 12 0 0 1 12 12c0 6.6-5.4 12-12 12-1.5 0-3-.3-4.3-.8L5 29l1.4-6A12 12 0 0 1 16 3Z"
    />
    <path class="mark-hands" d="M16 9v6.5l4.2 2.5" fill="none" stroke-width="2.4" stroke-linecap="round" />
  </svg>
)

export const ClockIcon = () => (
  <Icon>
    <circle cx="12" cy="12" r="9" />
    <path d="M12 7v5l3 2" />
  </Icon>
)

export const CalendarIcon = () => (
  <Icon>
    <rect x="3.5" y="5" width="17" height="15.5" rx="3" />
    <path d="M8 3v4M16 3v4M3.5 10.5h17" />
  </Icon>
)

export const PersonIcon = () => (
  <Icon>
    <circle cx="12" cy="8" r="4" />
    <path d="M4.5 20.5c1-4 4-5.5 7.5-5.5s6.5 1.5 7.5 5.5" />
  </Icon>
)

export const GlobeIcon = () => (
  <Icon>
    <circle cx="12" cy="12" r="9" />
    <path d="M3 12h18M12 3c3 3 3 15 0 18M12 3c-3 3-3 15 0 18" />
  </Icon>
)

export const CheckIcon = () => (
  <Icon>
    <path d="m5 12.5 4.5 4.5L19 7.5" />
  </Icon>
)

/** Points forward or back, depending on the direction of writing. */
export const ArrowIcon = ({ back = false }: { readonly back?: boolean }) => (
  <Icon direction={back ? "back" : "on"}>
    <path d="M5 12h14M13 6l6 6-6 6" />
  </Icon>
)

export const CameraIcon = ({ off = false }: { readonly off?: boolean }) => (
  <Icon>
    <rect x="3" y="6" width="12" height="12" rx="3" />
    <path d="m15 10.5 6-3.5v10l-6-3.5" />
    {off ? <path d="M4 4l16 16" /> : null}
  </Icon>
)
