// What looks after the app itself, fetched when the first screen stands, so that it takes nothing from it. PRODUCT.md 5.
import { lazy, Suspense } from 'react'
import type { AppKeeperProps } from '#features/install/app-keeper.tsx'
import { useHasSettled } from '#ui/busy.ts'
import { untilHere } from '#ui/lazily.ts'

/** The app works without it meanwhile. */
const Keepers = lazy(async () => ({
  default: await untilHere(async () => (await import('./keepers.tsx')).Keepers),
}))

export function Upkeep(props: AppKeeperProps) {
  return (
    useHasSettled() && (
      <Suspense>
        <Keepers {...props} />
      </Suspense>
    )
  )
}
