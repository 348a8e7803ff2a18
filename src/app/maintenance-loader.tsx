// What looks after the app itself, fetched when the first screen stands, so that it takes nothing from it.
import { lazy, Suspense, useEffect } from 'react'
import type { AppUpdatesProps } from '#features/install/app-keeper.tsx'
import { untilHere } from '#ui/arrival.ts'
import { useHasSettled } from '#ui/busy.ts'

/** The app works without it meanwhile. */
const Maintenance = lazy(async () => ({
  default: await untilHere(async () => (await import('./maintenance.tsx')).Maintenance),
}))

type MaintenanceLoaderProps = Omit<AppUpdatesProps, 'user'> & {
  /** null: nobody is signed in. */
  user: AppUpdatesProps['user'] | null
}

export function MaintenanceLoader({ user, ...props }: MaintenanceLoaderProps) {
  const hasSettled = useHasSettled()
  // Begun while a name and a password are typed, the app is here without a signal by the time that they are sent.
  useEffect(() => {
    // Asked for by name: a part that could not be fetched arrives as nothing, and only a name in it fails.
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
