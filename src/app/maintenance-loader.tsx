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
  // On the login page it starts while the user types, so the app is cached for offline use by the time the form is
  // sent.
  useEffect(() => {
    // The import names its export: a chunk that could not be loaded arrives empty, and only reading a name from it
    // fails.
    if (hasSettled)
      void untilHere(async () => (await import('#live/service-worker.ts')).keepFresh).then((keep) => keep())
  }, [hasSettled])
  return (
    hasSettled &&
    user && (
      <Suspense>
        <Maintenance user={user} {...props} />
      </Suspense>
    )
  )
}
