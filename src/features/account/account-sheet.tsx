// Who is signed in, the broker's line to WhatsApp, the theme and the gestures of this device, and the way out. Spec 2.17; DESIGN-SYSTEM 8.
import { Check, Monitor, Moon, Sun } from 'lucide-react'
import { Avatar } from '#ui/avatar.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { Icon } from '#ui/icon.tsx'
import { useTheme } from '#ui/theme.ts'
import { ExitButton } from './exit-button.tsx'
import { GestureRows } from './gesture-rows.tsx'
import { InstallRow } from './install-row.tsx'
import { type LinkHandle, LinkRow } from './link-row.tsx'

const THEMES = [
  { theme: 'system', label: 'Como no aparelho', icon: Monitor },
  { theme: 'light', label: 'Claro', icon: Sun },
  { theme: 'dark', label: 'Escuro', icon: Moon },
] as const

type AccountSheetProps = {
  username: string
  roleName: string
  link: LinkHandle | undefined
  isOpen: boolean
  onClose: () => void
}

export function AccountSheet({ username, roleName, link, isOpen, onClose }: AccountSheetProps) {
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title={username}
      subtitle={roleName}
      lead={<Avatar name={username} size={36} />}
    >
      {link && <LinkRow handle={link} onLeave={onClose} />}
      <ThemeChoice />
      {link && <GestureRows />}
      <InstallRow onLeave={onClose} />
      <div className="mt-2 flex flex-col px-3">
        <ExitButton variant="line" />
      </div>
    </Dialog>
  )
}

function ThemeChoice() {
  const [chosen, choose] = useTheme()
  return (
    <fieldset>
      <legend className="px-3 py-2 text-13 font-medium text-text-3">Tema</legend>
      {THEMES.map(({ theme, label, icon }) => (
        <label
          key={theme}
          className="relative flex min-h-14 cursor-pointer items-center gap-3.5 rounded-lg px-4 text-16 has-checked:bg-primary-soft has-checked:font-semibold has-checked:text-on-primary-soft has-focus-visible:shadow-focus"
        >
          <input
            type="radio"
            name="theme"
            className="sr-only"
            checked={chosen === theme}
            onChange={() => choose(theme)}
          />
          <Icon of={icon} />
          <span className="grow">{label}</span>
          {chosen === theme && <Icon of={Check} />}
        </label>
      ))}
    </fieldset>
  )
}
