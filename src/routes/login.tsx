// The brokers' login page.
import { getRouteApi } from '@tanstack/react-router'
import { Suspense } from 'react'
import { useSession } from '#data/session.ts'
import { BrokerLogin } from '#features/login/broker-login.tsx'
import { lazily } from '#ui/lazily.ts'
import { BrandMark } from '#ui/primitives/brand-mark.tsx'
import { PORTAL, usePageTitle } from '#ui/primitives/page-title.ts'

const route = getRouteApi('/login')
/** The agency's name, which follows 'Portal do Corretor' in the page's title; empty if there is none. */
const agency = PORTAL.slice(18)
const over = lazily(async () => (await import('#features/login/session-over.tsx')).SessionOver)

export function LoginPage() {
  const { usuario, convite } = route.useSearch()
  const isLocked = useSession().status === 'locked'
  usePageTitle('Entrar')
  return (
    <div className="mx-auto flex min-h-dvh max-w-108 flex-col px-6 pt-[calc(52px+var(--safe-top))] pb-[max(24px,var(--safe-bottom))]">
      <main className="flex grow flex-col md:justify-center">
        <BrandMark className="size-16" />
        <h1 className="mt-9 text-32 leading-tight font-title tracking-title">{PORTAL}</h1>
        <p className="mt-2 mb-9 text-17 text-text-2">Acesse sua área exclusiva</p>
        <div className="mb-4 empty:hidden">
          {isLocked && (
            <Suspense>
              <over.Component />
            </Suspense>
          )}
        </div>
        <BrokerLogin link={{ username: usuario, invite: convite }} />
      </main>
      <footer className="pt-10 pb-7 text-center text-13 text-text-3">
        {agency && `Sistema desenvolvido para a${agency}`}
      </footer>
    </div>
  )
}
