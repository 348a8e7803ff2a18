// The brokers' layout: the two screens, the account, and the screen below. Spec 2.17; design/png/phone-02.
import { Outlet } from '@tanstack/react-router'
import { AccountButton } from '#features/account/account-button.tsx'
import { BrandMark } from '#ui/brand-mark.tsx'
import { SegmentedNav } from '#ui/top-nav.tsx'

const SCREENS = [
  { to: '/broker', label: 'Conversas' },
  { to: '/broker/remarketing', label: 'Remarketing' },
]

export function BrokerLayout() {
  return (
    <div className="flex h-dvh flex-col">
      <header className="flex min-h-14 shrink-0 items-center justify-between gap-2.5 pt-(--safe-top) pr-3 pl-4 md:justify-start lg:px-8">
        <span className="mr-3 hidden md:block">
          <BrandMark className="size-8" />
        </span>
        <SegmentedNav label="Principal" items={SCREENS} />
        {/* Where both do not fit, the name gives way before the screens do. */}
        <div className="flex min-w-13 shrink-999 justify-end md:ml-auto">
          <AccountButton roleName="Corretor" />
        </div>
      </header>
      <main className="flex min-h-0 grow flex-col">
        <Outlet />
      </main>
    </div>
  )
}
