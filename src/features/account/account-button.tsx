// Name and avatar in the top bar; opens the account sheet. Spec 2.17; DESIGN-SYSTEM 8.
import { useState } from 'react'
import { useSession } from '#data/session.ts'
import { Avatar } from '#ui/avatar.tsx'
import { AccountSheet } from './account-sheet.tsx'
import type { LinkHandle } from './link-row.tsx'
import { linkWords } from './texts.ts'

type AccountButtonProps = {
  /** As people read it: 'Corretor', 'Administrador'. */
  roleName: string
  /** A broker's line to WhatsApp. */
  link?: LinkHandle | undefined
}

export function AccountButton({ roleName, link }: AccountButtonProps) {
  const session = useSession()
  const [isOpen, setOpen] = useState(false)
  if (session.status !== 'in') return null
  const { username } = session.user
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
        className="flex min-h-11 min-w-0 items-center gap-2 rounded-md px-1 text-14 font-medium text-text-2 transition-colors hover:bg-surface-2"
      >
        <span className="truncate max-[350px]:sr-only">
          <span className="sr-only">Conta de </span>
          {username}
          {link && <span className="sr-only">, WhatsApp {linkWords(link.link.state).toLowerCase()}</span>}
        </span>
        <Avatar name={username} size={36} dot={link && (link.link.state === 'open' ? 'on' : 'off')} />
      </button>
      <AccountSheet
        username={username}
        roleName={roleName}
        link={link}
        isOpen={isOpen}
        onClose={() => setOpen(false)}
      />
    </>
  )
}
