// The screen of the address with the data that it reads, or the lock before it while the session is lost.
import { Outlet, useMatches } from '@tanstack/react-router'
import { Suspense } from 'react'
import { useSession } from '#data/session.ts'
import { lazily } from '#ui/lazily.ts'
import { isBehindLock, isLogin } from './guards.ts'
import { Splash } from './splash.tsx'

/** Comes with the board's screens; to sign in, nothing is read. */
const data = lazily(async () => (await import('./with-data.tsx')).WithData)
const lock = lazily(async () => (await import('#features/login/lock-screen.tsx')).LockScreen)

export function Root() {
  const session = useSession()
  // Of what is shown, not of where it leads: on the way out a screen still stands that reads its data.
  const pathname = useMatches({ select: (matches) => matches.at(-1)?.pathname ?? '/' })
  if (isLogin(pathname)) return <Outlet />
  return (
    <Suspense fallback={<Splash />}>
      {session.status === 'locked' && isBehindLock(session, pathname) ? (
        <lock.Component user={session.user} />
      ) : (
        <data.Component>
          <Outlet />
        </data.Component>
      )}
    </Suspense>
  )
}
