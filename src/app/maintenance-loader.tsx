// Loads the app's maintenance part once the first screen is shown, so that it does not slow it.
import { useEffect } from 'react'
import type { AppUpdatesProps } from '#features/install/app-keeper.tsx'
import { untilHere, useArrival } from '#ui/arrival.ts'
import { useHasSettled } from '#ui/busy.ts'
import { lazily } from '#ui/lazily.ts'

/** The app works without it until it is loaded. */
const maintenance = lazily(async () => (await import('./maintenance.tsx')).Maintenance)

type MaintenanceLoaderProps = Omit<AppUpdatesProps, 'user'> & {
  /** null: nobody is signed in. */
  user: AppUpdatesProps['user'] | null
}

export function MaintenanceLoader({ user, ...props }: MaintenanceLoaderProps) {
  const hasSettled = useHasSettled()
  const isHere = useArrival(maintenance.load, hasSettled && user !== null)
  const isIdleLogin = hasSettled && user === null
  // While the user types on the login page, the board's code is loaded and nothing else: a weak line would carry what
  // the first card needs more slowly.
  useEffect(() => {
    if (isIdleLogin) void untilHere(() => import('./broker-screens.ts'))
  }, [isIdleLogin])
  return isHere && user && <maintenance.Component user={user} {...props} />
}
