// The layout of administrators and gerentes: tabs, the signed-in account, 'Sair', and the screen below.
import { useQuery } from '@tanstack/react-query'
import { Outlet, useLocation } from '@tanstack/react-router'
import {
  Bot,
  Building2,
  ChartColumn,
  Megaphone,
  MessageCircle,
  RefreshCw,
  SquareKanban,
  Timer,
  UserRound,
} from 'lucide-react'
import { stagesQuery } from '#data/board/stage-changes.ts'
import { useSession } from '#data/session.ts'
import { useIsAdmin } from '#data/is-admin.ts'
import { WithData } from '#data/with-data.tsx'
import type { Stage } from '#domain/stage.ts'
import { AccountButton } from '#features/account/account-button.tsx'
import { ExitButton } from '#features/account/exit-button.tsx'
import { ACCOUNT_SCREENS } from '#features/account/account-screens.ts'
import { GatewayDown } from '#features/brokers/gateway-down.tsx'
import { LostLinks } from '#features/brokers/lost-links.tsx'
import { useUnsentLists } from '#features/imports/unsent-lists.ts'
import { ConnectionBar } from '#features/outbox/connection-bar.tsx'
import { AGENCY } from '#ui/primitives/agency.ts'
import { BrandMark } from '#ui/primitives/brand-mark.tsx'
import { TopNav } from '#ui/primitives/top-nav.tsx'
import '#ui/trusted-types.ts'
import '#styles/whole.css'

const TABS = [
  { to: '/', label: 'WhatsApp', icon: MessageCircle },
  { to: '/reports', label: 'Relatórios', icon: ChartColumn, alsoAt: ['/resultado', '/origens'] },
  { to: '/remarketing', label: 'Remarketing', icon: Megaphone },
  { to: '/crm', label: 'CRM', icon: SquareKanban },
  { to: '/prompts', label: 'Agentes', icon: Bot, hasScreensBelow: true },
  { to: '/roleta', label: 'Roleta', icon: RefreshCw },
  { to: '/empreendimentos', label: 'Empreendimentos', icon: Building2 },
]

/** The screens of a gerente; each shows only the own team. */
const TEAM_TABS = [
  { to: '/', label: 'Agora', icon: Timer },
  { to: '/resultado', label: 'Resultado', icon: ChartColumn, alsoAt: ['/origens'] },
  { to: '/crm', label: 'CRM', icon: SquareKanban },
  { to: '/roleta', label: 'Roleta', icon: RefreshCw },
]
const OWN_ACCOUNT = ACCOUNT_SCREENS.slice(0, 1)
const OWN_LEADS = [{ to: '/broker', label: 'Meus leads', icon: UserRound }]

const NO_STAGES: readonly Stage[] = []

export function AdminLayout() {
  return (
    <WithData>
      <AdminArea />
    </WithData>
  )
}

/** Alarms that only an administrator can resolve. Also continues to send imported lists after a reload. */
function Alarms() {
  useUnsentLists()
  return (
    <>
      <GatewayDown />
      <LostLinks />
    </>
  )
}

function AdminArea() {
  const isAtAccountScreen = useLocation({
    select: ({ pathname }) => ACCOUNT_SCREENS.some(({ to }) => to === pathname),
  })
  // Loaded even if no screen needs it, because offline entries show the stages' names.
  const { data: stages = NO_STAGES } = useQuery(stagesQuery())
  const session = useSession()
  const isAdmin = useIsAdmin()
  const isBroker = session.status === 'in' && session.user.role === 'broker'
  return (
    // A screen that fills the window scrolls inside itself, so the page must not be higher.
    <div className="flex min-h-dvh flex-col has-[[data-fills]]:h-dvh">
      {/* One row from 640 px on. Icons, account name and 'Sair' shrink or hide first: they are elsewhere too. */}
      <header className="print:hidden sticky top-0 z-30 short:static flex flex-wrap items-center gap-x-3 bg-surface px-4 pt-(--safe-top) shadow-topbar min-[40rem]:min-h-15 min-[40rem]:flex-nowrap lg:px-8">
        <span className="flex min-w-0 items-center gap-2.5 text-15 font-bold tracking-name min-[76rem]:mr-6">
          <BrandMark className="size-7.5 shrink-0" />
          <span className="max-w-40 truncate min-[40rem]:max-lg:sr-only">{AGENCY || 'Portal'}</span>
        </span>
        <div className="order-last w-full min-w-0 pb-1 min-[40rem]:order-none min-[40rem]:w-auto min-[40rem]:grow min-[40rem]:pb-0">
          <TopNav label="Principal" items={isAdmin ? TABS : TEAM_TABS} />
        </div>
        <div className="ml-auto flex min-w-13 shrink-999 items-center justify-end gap-1 py-1.5">
          <AccountButton
            roleName={isAdmin ? 'Administrador' : 'Gerente'}
            screens={isAdmin ? ACCOUNT_SCREENS : isBroker ? OWN_LEADS : OWN_ACCOUNT}
            isHere={isAtAccountScreen}
          />
          <span className="shrink-0 min-[40rem]:max-lg:hidden">
            <ExitButton variant="quiet" />
          </span>
        </div>
      </header>
      <ConnectionBar stages={stages} updatedAtMs={null} />
      {isAdmin && <Alarms />}
      <main className="mx-auto w-full max-w-360 grow px-4 pt-5 pb-10 has-[[data-fills]]:flex has-[[data-fills]]:min-h-0 has-[[data-fills]]:max-w-none has-[[data-fills]]:flex-col has-[[data-fills]]:p-0! lg:px-8 lg:pt-7">
        <Outlet />
      </main>
    </div>
  )
}
