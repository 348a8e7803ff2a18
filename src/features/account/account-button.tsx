// Name and avatar in the top bar; opens the account sheet. Spec 2.17; DESIGN-SYSTEM 8.
import { useState } from 'react'
import { useSession } from '#data/session.ts'
import { Avatar } from '#ui/avatar.tsx'
import { AccountSheet } from './account-sheet.tsx'

/** `roleName` as people read it: 'Corretor', 'Administrador'. */
export function AccountButton({ roleName }: { roleName: string }) {
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
        </span>
        <Avatar name={username} size={36} />
      </button>
      <AccountSheet username={username} roleName={roleName} isOpen={isOpen} onClose={() => setOpen(false)} />
    </>
  )
}
