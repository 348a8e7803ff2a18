// The layout of the account and system screens. Wide windows list them on the left.
import { Link, Outlet } from '@tanstack/react-router'
import { useIsAdmin } from '#data/is-admin.ts'
import { ACCOUNT_SCREENS } from '#features/account/account-screens.ts'
import { Icon } from '#ui/primitives/icon.tsx'

export function AccountScreensLayout() {
  // A gerente can open only one of these screens, so there is no list.
  if (!useIsAdmin()) return <Outlet />
  return (
    <div className="flex items-start gap-6">
      {/* In narrow windows the account menu lists these screens. */}
      <nav
        aria-label="Telas da conta e do sistema"
        className="sticky top-22 flex w-53 shrink-0 flex-col gap-1 max-[1199px]:hidden"
      >
        {ACCOUNT_SCREENS.map(({ to, label, icon }) => (
          <Link
            key={to}
            to={to}
            activeOptions={{ includeSearch: false }}
            className="flex min-h-11 items-center gap-3 rounded-md border border-transparent px-3 text-14 text-text-2 transition-colors hover:bg-surface-2 aria-[current=page]:border-border aria-[current=page]:bg-surface aria-[current=page]:font-semibold aria-[current=page]:text-text"
          >
            <Icon of={icon} size={20} />
            {label}
          </Link>
        ))}
      </nav>
      <div className="min-w-0 grow min-[1200px]:*:mx-0">
        <Outlet />
      </div>
    </div>
  )
}
