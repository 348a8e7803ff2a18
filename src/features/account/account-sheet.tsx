// The account sheet: the user, the broker's WhatsApp link, this device's theme, gestures and pushes, the password, and
// 'Sair'.
import { Link } from '@tanstack/react-router'
import { Check, ChevronRight, type LucideIcon, Monitor, Moon, Sun, UsersRound } from 'lucide-react'
import { type ComponentType, Suspense } from 'react'
import { useSession } from '#data/session.ts'
import type { Role } from '#domain/session.ts'
import { Avatar } from '#ui/primitives/avatar.tsx'
import { Dialog } from '#ui/primitives/overlay/dialog.tsx'
import { Icon } from '#ui/primitives/icon.tsx'
import { lazily } from '#ui/lazily.ts'
import { useTheme } from '#ui/theme.ts'
import '#ui/primitives/overlay/dialog-foot.css'
import { AgendaRow } from './agenda/row.tsx'
import { ExitButton } from './exit-button.tsx'
import { GestureRows } from './gesture-rows.tsx'
import { InstallRow } from './install-row.tsx'
import { type LinkHandle, LinkRow } from './link-row.tsx'
import { PasswordRow } from './password/row.tsx'
import { PrivateRow } from './private/row.tsx'
import { PhotosRow } from './photos-row.tsx'
import { PushRow } from './push/row.tsx'

const assistantRow = lazily(async () => (await import('./agenda/assistant-row.tsx')).AssistantRow)

const THEMES = [
  { theme: 'system', label: 'Como no aparelho', icon: Monitor },
  { theme: 'light', label: 'Claro', icon: Sun },
  { theme: 'dark', label: 'Escuro', icon: Moon },
] as const

/** Screens that the sheet adds for a broker who also leads a team. */
const TEAM_SCREENS = [{ to: '/', label: 'Minha equipe', icon: UsersRound }]

export type AccountScreen = { to: string; label: string; icon: LucideIcon }

type AccountSheetProps = {
  username: string
  role: Role
  roleName: string
  link: LinkHandle | undefined
  screens: readonly AccountScreen[] | undefined
  /** A row of another feature. */
  row: ComponentType | undefined
  isOpen: boolean
  onClose: () => void
}

export function AccountSheet(props: AccountSheetProps) {
  const { username, role, roleName, link, screens, row: Row, isOpen, onClose } = props
  const session = useSession()
  const isLeader = session.status === 'in' && session.user.role === 'broker' && session.user.isLeader
  const shown = screens ?? (isLeader ? TEAM_SCREENS : undefined)
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title={username}
      subtitle={roleName}
      lead={<Avatar name={username} size={36} />}
    >
      {link && <LinkRow handle={link} onLeave={onClose} />}
      {shown && <Screens screens={shown} onLeave={onClose} />}
      <ThemeChoice />
      {link && <GestureRows />}
      {link && <PhotosRow />}
      {(link || role !== 'broker') && <PushRow role={role} />}
      {role === 'broker' && <AgendaRow />}
      {role === 'broker' && <PrivateRow />}
      {role === 'broker' && <PasswordRow />}
      <InstallRow onLeave={onClose} />
      {/* This row appears only after the server's answer. It is last, so that it moves no other row. */}
      {link && Row && (
        <Suspense>
          <Row />
        </Suspense>
      )}
      {role === 'broker' && (
        <Suspense>
          <assistantRow.Component />
        </Suspense>
      )}
      {/* 'Sair' stays at the sheet's lower edge, so that late rows do not move it. */}
      <div className="dialog-foot -mx-2 mt-2 flex flex-col px-5 md:-mx-4">
        <ExitButton variant="line" />
      </div>
    </Dialog>
  )
}

function Screens({ screens, onLeave }: { screens: readonly AccountScreen[]; onLeave: () => void }) {
  return (
    <nav aria-label="Conta e sistema" className="flex flex-col">
      {screens.map(({ to, label, icon }) => (
        <Link
          key={to}
          to={to}
          onClick={onLeave}
          className="flex min-h-14 items-center gap-3.5 rounded-lg px-4 text-16 hover:bg-surface-2 aria-[current=page]:bg-primary-soft aria-[current=page]:text-on-primary-soft"
        >
          <Icon of={icon} />
          <span className="grow">{label}</span>
          <Icon of={ChevronRight} size={18} className="text-text-3" />
        </Link>
      ))}
    </nav>
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
