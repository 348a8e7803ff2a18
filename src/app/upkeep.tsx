// What looks after the app itself, fetched when the first screen stands, so that it takes nothing from it. PRODUCT.md 5.
import { type ComponentType, lazy, Suspense } from 'react'
import { log } from '#api/log.ts'
import type { AppKeeperProps } from '#features/install/app-keeper.tsx'
import { useHasSettled } from '#ui/busy.ts'

const AppKeeper = lazy(async (): Promise<{ default: ComponentType<AppKeeperProps> }> => {
  try {
    return { default: (await import('#features/install/app-keeper.tsx')).AppKeeper }
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
        <AppKeeper {...props} />
      </Suspense>
    )
  )
}
