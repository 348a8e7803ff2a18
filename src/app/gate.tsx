// The screen of the address, or the lock before it while the session is lost.
import { Outlet, useLocation } from '@tanstack/react-router'
import { Suspense } from 'react'
import { useSession } from '#data/session.ts'
import { lazily } from '#ui/lazily.ts'
import { isBehindLock } from './guards.ts'
import { Splash } from './splash.tsx'

const lock = lazily(async () => (await import('#features/login/lock-screen.tsx')).LockScreen)

export function Gate() {
  const session = useSession()
  const pathname = useLocation({ select: (location) => location.pathname })
  if (session.status !== 'locked' || !isBehindLock(session, pathname)) return <Outlet />
  return (
    <Suspense fallback={<Splash />}>
      <lock.Component user={session.user} />
    </Suspense>
  )
}
