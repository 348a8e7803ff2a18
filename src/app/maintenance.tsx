// What looks after the app and after what it keeps, in one chunk of its own.
import { AppUpdates, type AppUpdatesProps } from '#features/install/app-keeper.tsx'
import { ErasedLeadsCleanup } from '#features/outbox/erased-keeper.tsx'

export function Maintenance(props: AppUpdatesProps) {
  return (
    <>
      <AppUpdates {...props} />
      <ErasedLeadsCleanup />
    </>
  )
}
