// The bar above a broker's screens: links to the three screens, the account, and 'Sair' where it fits. The welcome page
// shows only 'Sair'.
import { type ComponentType, type ReactNode, Suspense } from 'react'
import { BrandMark } from '#ui/primitives/brand-mark.tsx'
import { lazily } from '#ui/lazily.ts'
import { useMedia, WIDE } from '#ui/media.ts'
import { SegmentedNav } from '#ui/primitives/segmented-nav.tsx'
import { AccountButton } from './account-button.tsx'
import type { LinkHandle } from './link-row.tsx'

const exit = lazily(async () => (await import('./exit-button.tsx')).ExitButton)

type BrokerHeaderProps = {
  link: LinkHandle | undefined
  isWelcome: boolean
  /** A row of another feature, which the account sheet shows. */
  row: ComponentType
  /** Renders the number of leads that need the broker today. */
  count: ReactNode
}

export function BrokerHeader({ link, isWelcome, row, count }: BrokerHeaderProps) {
  const isWide = useMedia(WIDE)
  if (isWelcome) {
    return (
      <header className="flex min-h-14 shrink-0 items-center justify-end pt-(--safe-top) pr-2 lg:pr-8">
        <Suspense>
          <exit.Component variant="quiet" />
        </Suspense>
      </header>
    )
  }
  return (
    <header className="flex min-h-14 shrink-0 items-center justify-between gap-2.5 pt-(--safe-top) pr-3 pl-4 md:justify-start lg:px-8">
      <span className="mr-3 hidden md:block">
        <BrandMark className="size-8" />
      </span>
      <SegmentedNav
        label="Principal"
        items={[
          { to: '/broker', label: 'Conversas' },
          { to: '/broker/hoje', label: 'Hoje', more: count },
          { to: '/broker/remarketing', label: 'Remarketing' },
        ]}
      />
      {/* In a narrow bar the broker's name shrinks first, and the links keep their width. */}
      <div className="flex min-w-13 shrink-999 justify-end md:ml-auto">
        <AccountButton roleName="Corretor" link={link} row={row} />
      </div>
      {/* On a phone, 'Sair' is in the account sheet instead. */}
      {isWide && (
        <Suspense>
          <exit.Component variant="quiet" />
        </Suspense>
      )}
    </header>
  )
}
