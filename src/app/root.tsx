// The screen at the address, or the lock screen in front of it while the session is lost.
import { Outlet, useMatches } from '@tanstack/react-router'
import { Suspense } from 'react'
import { useSession } from '#data/session.ts'
import { lazily } from '#ui/lazily.ts'
import { isBehindLock } from './guards.ts'
import { Splash } from './splash.tsx'

const lock = lazily(async () => (await import('#features/login/lock-screen.tsx')).LockScreen)

export function Root() {
  const session = useSession()
  // The path of the screen on display. During a navigation the old screen still shows its user's data.
  const pathname = useMatches({ select: (matches) => matches.at(-1)?.pathname ?? '/' })
  if (session.status !== 'locked' || !isBehindLock(session, pathname)) return <Outlet />
  return (
    <Suspense fallback={<Splash />}>
      <lock.Component user={session.user} />
    </Suspense>
  )
}
