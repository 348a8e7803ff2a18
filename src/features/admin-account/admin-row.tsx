// One administrator of the list. PRODUCT.md 3.
import { KeyRound, Trash2 } from 'lucide-react'
import type { Admin } from '#data/admins.ts'
import { formatRelative } from '#domain/format.ts'
import { Avatar } from '#ui/avatar.tsx'
import { Badge } from '#ui/badge.tsx'
import { IconButton } from '#ui/button.tsx'
import { useNow } from '#ui/now.ts'
import { AWAITED, NEVER_SEEN, NEW_LINK, REMOVE, RESET, TWO_STEPS, YOU } from './texts.ts'

type AdminRowProps = {
  admin: Admin
  isSelf: boolean
  isOnline: boolean
  onReset: () => void
  onRemove: () => void
}

export function AdminRow({ admin, isSelf, isOnline, onReset, onRemove }: AdminRowProps) {
  const { username, hasPassword, hasSecondStep } = admin
  const renewal = hasPassword ? RESET : NEW_LINK
  return (
    <li className="flex min-h-15 items-center gap-3 border-t border-border py-2 first:border-t-0">
      <Avatar name={username} size={36} />
      <div className="min-w-0 grow">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium wrap-anywhere">
          {username}
          {isSelf && <span className="text-13 font-normal text-text-3">({YOU})</span>}
          {hasSecondStep && <Badge tone="success">{TWO_STEPS}</Badge>}
        </p>
        <p className="mt-0.5 text-13 text-text-3">
          <LastSeen admin={admin} />
        </p>
      </div>
      {!isSelf && (
        <>
          <IconButton
            icon={KeyRound}
            label={`${renewal}: ${username}`}
            title={renewal}
            disabled={!isOnline}
            onClick={onReset}
          />
          <IconButton
            icon={Trash2}
            label={`${REMOVE}: ${username}`}
            title={REMOVE}
            disabled={!isOnline}
            onClick={onRemove}
          />
        </>
      )}
    </li>
  )
}

function LastSeen({ admin: { hasPassword, seenAtMs } }: { admin: Admin }) {
  const nowMs = useNow()
  if (!hasPassword) return AWAITED
  return seenAtMs === null ? NEVER_SEEN : `Visto ${formatRelative(seenAtMs, nowMs)}`
}
