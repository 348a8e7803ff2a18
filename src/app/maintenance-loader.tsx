// Loads the code that maintains the app once the first screen is shown, so that it does not slow the screen.
import { useEffect } from 'react'
import type { AppUpdatesProps } from '#features/install/app-keeper.tsx'
import { untilHere, useArrival } from '#ui/arrival.ts'
import { useHasSettled } from '#ui/busy.ts'
import { lazily } from '#ui/lazily.ts'

/** The app works without this code until it is loaded. */
const maintenance = lazily(async () => (await import('./maintenance.tsx')).Maintenance)

type MaintenanceLoaderProps = Omit<AppUpdatesProps, 'user'> & {
  /** Null while nobody is signed in. */
  user: AppUpdatesProps['user'] | null
}

export function MaintenanceLoader({ user, ...props }: MaintenanceLoaderProps) {
  const hasSettled = useHasSettled()
  const isHere = useArrival(maintenance.load, hasSettled && user !== null)
  const isIdleLogin = hasSettled && user === null
  // While the user types on the login page, only the board's code loads. On a weak signal anything more would delay the
  // first card.
  useEffect(() => {
    if (isIdleLogin) void untilHere(() => import('./broker-start.ts'))
  }, [isIdleLogin])
  return isHere && user && <maintenance.Component user={user} {...props} />
}
