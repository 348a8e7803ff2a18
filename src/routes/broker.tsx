// The brokers' layout: 'Bem-vindo' until WhatsApp was connected once, then the screens and the account.
import { useQuery } from '@tanstack/react-query'
import { Outlet } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { linkQuery } from '#data/link.ts'
import { useBoardHead } from '#data/board/leads.ts'
import { useSession } from '#data/session.ts'
import { WithData } from '#data/with-data.tsx'
import { entryOf, needsWord } from '#domain/link.ts'
import type { BrokerUser } from '#domain/session.ts'
import { BrokerHeader } from '#features/account/broker-header.tsx'
import { ConnectionBar } from '#features/outbox/connection-bar.tsx'
import { lazily, useIdlePreload } from '#ui/lazily.ts'
import { Loading } from '#ui/feedback/loading.tsx'
import { BrokerArrivals, TodayCountArrival } from './parts/broker-arrivals.tsx'

const welcome = lazily(async () => (await import('#features/connect/welcome.tsx')).Welcome)
const rotationRow = lazily(async () => (await import('#features/offers/rotation-row.tsx')).RotationRow)
const banners = lazily(async () => (await import('#features/connect/link-banners.tsx')).LinkBanners)
const flow = lazily(async () => (await import('#features/connect/connect-flow.tsx')).ConnectFlow)

const NOTHING = () => Promise.resolve()

export function BrokerLayout() {
  const session = useSession()
  if (session.status !== 'in' || session.user.role !== 'broker') return null
  return (
    <WithData>
      <BrokerArea user={session.user} />
    </WithData>
  )
}

function BrokerArea({ user: { instanceName, username, hasWhatsAppSession } }: { user: BrokerUser }) {
  const { data: link, isError } = useQuery(linkQuery(instanceName))
  const head = useBoardHead(instanceName)
  const [isConnecting, setConnecting] = useState(false)
  const [hasGoneOn, setGoneOn] = useState(false)
  // Loads the connection dialogs early only if the link has a problem.
  useIdlePreload(link && needsWord(link) ? flow.load : NOTHING)
  const connect = () => setConnecting(true)
  const entry = hasGoneOn ? 'app' : entryOf(link ?? (isError ? null : undefined), hasWhatsAppSession)
  const line = link && { instanceName, link, isConnecting, onConnect: connect }

  return (
    // Sideways swipes belong to the board; the browser handles scrolling and pinch zoom. Horizontal lists set a
    // touch-action of their own.
    <div className="flex h-dvh touch-pan-y touch-pinch-zoom flex-col overflow-y-auto">
      <BrokerHeader
        link={line}
        isWelcome={entry === 'welcome'}
        row={rotationRow.Component}
        // The count loads after the board's data, because it would delay the cards.
        count={entry === 'app' && head.updatedAtMs > 0 && <TodayCountArrival instanceName={instanceName} />}
      />
      <main className="flex min-h-0 grow flex-col">
        <Suspense fallback={<Loading />}>
          {entry === 'unknown' && <Loading />}
          {entry === 'welcome' && (
            <welcome.Component
              username={username}
              isConfigured={link?.state !== 'unconfigured'}
              isConnecting={isConnecting}
              onConnect={connect}
              onSeeLeads={() => setGoneOn(true)}
            />
          )}
          {entry === 'app' && <ConnectionBar {...head} />}
          {entry === 'app' && line && needsWord(line.link) && (
            <Suspense>
              <banners.Component {...line} />
            </Suspense>
          )}
          {entry === 'app' && head.updatedAtMs > 0 && <BrokerArrivals instanceName={instanceName} />}
          {entry === 'app' && <Outlet />}
        </Suspense>
      </main>
      <Suspense>
        {isConnecting && <flow.Component instanceName={instanceName} onEnd={() => setConnecting(false)} />}
      </Suspense>
    </div>
  )
}
