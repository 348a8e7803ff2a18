// Maintains the app and its stored data, in a chunk of its own.
import { useEffect } from 'react'
import { AppUpdates, type AppUpdatesProps } from '#features/install/app-keeper.tsx'
import { ErasedLeadsCleanup } from '#features/outbox/erased-maintenance.tsx'
import type { BrokerUser } from '#domain/session.ts'
import { afterFirst } from '#data/first-in-line.ts'
import { WithData } from '#data/with-data.tsx'
import { useKeptPage } from './keep-snapshot.ts'
import { listenForInstall } from '#live/install.ts'
import { keepFresh } from '#live/service-worker.ts'

listenForInstall()

export function Maintenance(props: AppUpdatesProps) {
  const { user } = props
  // The service worker downloads the whole app, so it starts after what the user waits for.
  useEffect(() => void afterFirst().then(keepFresh), [])
  return (
    // Active on all screens, because an installed app's icon always shows the number of unread leads.
    <WithData>
      <AppUpdates {...props} />
      {user.role === 'broker' && <KeptPage user={user} />}
      <ErasedLeadsCleanup />
    </WithData>
  )
}

function KeptPage({ user }: { user: BrokerUser }) {
  useKeptPage(user)
  return null
}
