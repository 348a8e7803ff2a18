// Name and avatar in the top bar; opens the account sheet.
import { type ComponentType, Suspense, useState } from 'react'
import { useIsOnline } from '#data/connectivity.ts'
import { useSession } from '#data/session.ts'
import { classNames } from '#ui/primitives/class-names.ts'
import { Avatar } from '#ui/primitives/avatar.tsx'
import { lazily, useIdlePreload } from '#ui/lazily.ts'
import { OFFLINE } from '#ui/texts.ts'
import type { AccountScreen } from './account-sheet.tsx'
import type { LinkHandle } from './link-row.tsx'
import { linkWords } from './texts.ts'

const sheet = lazily(async () => (await import('./account-sheet.tsx')).AccountSheet)

type AccountButtonProps = {
  /** The displayed role: 'Corretor', 'Administrador'. */
  roleName: string
  /** The broker's WhatsApp link; undefined for administrators. */
  link?: LinkHandle | undefined
  /** An administrator's account screens, listed in a menu. If undefined, the button opens the account sheet instead. */
  screens?: readonly AccountScreen[] | undefined
  /** True while one of these screens is open. */
  isHere?: boolean | undefined
  /** A row of another feature, which the account sheet shows. */
  row?: ComponentType | undefined
}

export function AccountButton({ roleName, link, screens, isHere, row }: AccountButtonProps) {
  const session = useSession()
  const isOnline = useIsOnline()
  const [isOpen, setOpen] = useState(false)
  // Once opened, the sheet stays mounted while closed, so that focus returns to the button.
  const [hasOpened, setOpened] = useState(false)
  if (isOpen && !hasOpened) setOpened(true)
  useIdlePreload(sheet.load)
  if (session.status !== 'in') return null
  const { username, role } = session.user
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        onClick={() => sheet.open(() => setOpen(true))}
        className={classNames(
          'flex min-h-11 min-w-0 items-center gap-2 rounded-md px-1 text-14 font-medium transition-colors',
          isHere ? 'bg-primary-soft px-2 text-on-primary-soft' : 'text-text-2 hover:bg-surface-2',
        )}
      >
        <span className="relative truncate max-[430px]:sr-only">
          <span className="sr-only">Conta de </span>
          {username}
          {link && (
            <span className="sr-only">
              , {isOnline ? `WhatsApp ${linkWords(link.link.state).toLowerCase()}` : OFFLINE}
            </span>
          )}
        </span>
        <Avatar
          name={username}
          size={36}
          dot={link && (isOnline && link.link.state === 'open' ? 'on' : 'off')}
        />
      </button>
      <Suspense>
        {hasOpened && (
          <sheet.Component
            username={username}
            role={role}
            roleName={roleName}
            link={link}
            screens={screens}
            row={row}
            isOpen={isOpen}
            onClose={() => setOpen(false)}
          />
        )}
      </Suspense>
    </>
  )
}
