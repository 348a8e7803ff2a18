// Loads the app's maintenance part once the first screen is shown, so that it does not slow it.
import { lazy, Suspense, useEffect } from 'react'
import type { AppUpdatesProps } from '#features/install/app-keeper.tsx'
import { untilHere } from '#ui/arrival.ts'
import { useHasSettled } from '#ui/busy.ts'

/** The app works without it until it is loaded. */
const Maintenance = lazy(async () => ({
  default: await untilHere(async () => (await import('./maintenance.tsx')).Maintenance),
}))

type MaintenanceLoaderProps = Omit<AppUpdatesProps, 'user'> & {
  /** null: nobody is signed in. */
  user: AppUpdatesProps['user'] | null
}

export function MaintenanceLoader({ user, ...props }: MaintenanceLoaderProps) {
  const hasSettled = useHasSettled()
  const isIdleLogin = hasSettled && user === null
  // While the user types on the login page, the board's code is loaded and nothing else: a weak line would carry what
  // the first card needs more slowly.
  useEffect(() => {
    if (isIdleLogin) void untilHere(() => import('./broker-screens.ts'))
  }, [isIdleLogin])
  return (
    hasSettled &&
    user && (
      <Suspense>
        <Maintenance user={user} {...props} />
      </Suspense>
    )
  )
}
