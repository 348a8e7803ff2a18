// Maintains the app: its service worker, new versions, the install offer, pushes.
import { useEffect } from 'react'
import type { SessionUser } from '#domain/session.ts'
import { noteInstall } from '#live/install.ts'
import '#ui/trusted-types.ts'
import { AdminPushUpdates } from './admin-push-maintenance.tsx'
import { InstallOffer } from './install-offer.tsx'
import { PushUpdates } from './push-maintenance.tsx'
import { UpdateOffer } from './update-offer.tsx'

/** A key in sessionStorage: its value survives reloads, and ends with the window. */
const SESSION_KEY = 'session-counted'

export type AppUpdatesProps = {
  user: SessionUser
  /** Opens an address of the app. */
  onOpen: (path: string) => void
}

export function AppUpdates({ user, onOpen }: AppUpdatesProps) {
  useEffect(countSession, [])
  return (
    <>
      <UpdateOffer />
      <InstallOffer isUnasked={user.role === 'broker'} />
      {user.role === 'broker' ? (
        <PushUpdates key={user.id} instanceName={user.instanceName} onOpen={onOpen} />
      ) : (
        <AdminPushUpdates key={user.id} onOpen={onOpen} />
      )}
    </>
  )
}

function countSession() {
  if (sessionStorage.getItem(SESSION_KEY) !== null) return
  sessionStorage.setItem(SESSION_KEY, '1')
  noteInstall(({ sessions }) => ({ sessions: sessions + 1 }))
}
