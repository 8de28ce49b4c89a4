/** Icons of the call. */
import { Icon } from "../../../pages/views/icons.tsx"

export const MicrophoneIcon = ({ off = false }: { readonly off?: boolean }) => (
  <Icon>
    <rect x="9" y="3" width="6" height="11" rx="3" />
    <path d="M5.5 11.5a6.5 6.5 0 0 0 13 0M12 18v3" />
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
