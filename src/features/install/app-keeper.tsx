// Looks after the app itself: its worker, new versions, the offer of the home screen, pushes.
import { useEffect } from 'react'
import type { SessionUser } from '#domain/session.ts'
import { noteInstall } from '#live/install.ts'
import { AdminPushKeeper } from './admin-push-keeper.tsx'
import { InstallOffer } from './install-offer.tsx'
import { PushKeeper } from './push-keeper.tsx'
import { UpdateOffer } from './update-offer.tsx'

/** Lives as long as the window, and no reload ends it. */
const SESSION_KEY = 'session-counted'

export type AppKeeperProps = {
  user: SessionUser
  /** Leads to an address of the app. */
  onOpen: (path: string) => void
}

export function AppKeeper({ user, onOpen }: AppKeeperProps) {
  useEffect(countSession, [])
  return (
    <>
      <UpdateOffer />
      <InstallOffer isUnasked={user.role === 'broker'} />
      {user.role === 'broker' ? (
        <PushKeeper key={user.id} userId={user.id} instanceName={user.instanceName} onOpen={onOpen} />
      ) : (
        <AdminPushKeeper key={user.id} userId={user.id} onOpen={onOpen} />
      )}
    </>
  )
}

function countSession() {
  if (sessionStorage.getItem(SESSION_KEY) !== null) return
  sessionStorage.setItem(SESSION_KEY, '1')
  noteInstall(({ sessions }) => ({ sessions: sessions + 1 }))
}
