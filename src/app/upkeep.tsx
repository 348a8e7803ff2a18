// What looks after the app itself, fetched when the first screen stands, so that it takes nothing from it. PRODUCT.md 5.
import { type ComponentType, lazy, Suspense } from 'react'
import { log } from '#api/log.ts'
import type { AppKeeperProps } from '#features/install/app-keeper.tsx'
import { useHasSettled } from '#ui/busy.ts'

const Keepers = lazy(async (): Promise<{ default: ComponentType<AppKeeperProps> }> => {
  try {
    return { default: (await import('./keepers.tsx')).Keepers }
  } catch (cause) {
    // Without a signal: the app works as it is, and the next start tries again.
    log.warn('upkeep.not-loaded', cause)
    return { default: () => null }
  }
})

export function Upkeep(props: AppKeeperProps) {
  return (
    useHasSettled() && (
      <Suspense>
        <Keepers {...props} />
      </Suspense>
    )
  )
}
