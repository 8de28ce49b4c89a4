import type { ComponentChildren } from "preact"

const Icon = ({ children, direction }: { readonly children: ComponentChildren; readonly direction?: string }) => (
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

export const MicrophoneIcon = ({ off = false }: { readonly off?: boolean }) => (
  <Icon>
    <rect x="9" y="3" width="6" height="11" rx="3" />
    <path d="M5.5 11.5a6.5 6.5 0 0 0 13 0M12 18v3" />
    {off ? <path d="M4 4l16 16" /> : null}
  </Icon>
)

export const CameraIcon = ({ off = false }: { readonly off?: boolean }) => (
  <Icon>
    <rect x="3" y="6" width="12" height="12" rx="3" />
    <path d="m15 10.5 6-3.5v10l-6-3.5" />
    {off ? <path d="M4 4l16 16" /> : null}
  </Icon>
)

export const FillIcon = () => (
  <Icon>
    <rect x="3" y="5" width="18" height="14" rx="3" />
    <path d="M8 9H6.5v6H8M16 9h1.5v6H16" />
  </Icon>
)

export const ScreenIcon = () => (
  <Icon>
    <rect x="3" y="4.5" width="18" height="12" rx="2" />
    <path d="M12 16.5V20M8 20h8M12 13V8M9.5 10 12 7.5 14.5 10" />
  </Icon>
)

export const FullScreenIcon = () => (
  <Icon>
    <path d="M4 9V5h5M20 9V5h-5M4 15v4h5M20 15v4h-5" />
  </Icon>
)

export const EndIcon = () => (
  <Icon>
    <circle cx="12" cy="12" r="9" />
    <path d="m9 9 6 6M15 9l-6 6" />
  </Icon>
)

export const LeaveIcon = () => (
  <Icon>
    <path d="M10 4H6a2 2 0 0 0-2 2v12a2 2 0 0 0 2 2h4M15 8l4 4-4 4M19 12H9" />
  </Icon>
)
