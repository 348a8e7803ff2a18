// The route table. The code of every screen is loaded when it is first shown.
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
} from '@tanstack/react-router'
import { CrashScreen } from './crash-screen.tsx'
import { Root } from './root.tsx'
import { guard, type RouterContext } from './guards.ts'
import { LoginPage } from '#routes/login.tsx'
import { idOf, textOf } from '#routes/parts/read-search.ts'
import { Splash } from './splash.tsx'

/** Filters of the audit log: an account, an area of actions, days. */
type AuditSearch = { quem?: unknown; oque?: unknown; de?: unknown; ate?: unknown }

/**
 * A stage with a filter, and a conversation; the offer of a tapped notification, and the answer chosen there; the
 * icon's shortcut 'Adicionar lead'.
 */
type BoardSearch = {
  estagio?: string | undefined
  filtro?: string | undefined
  lead?: number | undefined
  oferta?: number | undefined
  resposta?: string | undefined
  adicionar?: number | undefined
}

/** From a tapped notification: the lead whose visit is to be moved, or is asked about. */
type DaySearch = Pick<BoardSearch, 'lead'> & { remarcar?: number | undefined; visita?: number | undefined }

const root = createRootRouteWithContext<RouterContext>()({
  beforeLoad: guard,
  component: Root,
  // Never shown: the guard redirects every unknown address before.
  notFoundComponent: Splash,
})

/** An invitation link names the invited account. */
const invited = ({
  usuario,
  convite,
}: Record<string, unknown>): { usuario?: string | undefined; convite?: string | undefined } => ({
  usuario: textOf(usuario),
  convite: textOf(convite),
})

const login = createRoute({
  getParentRoute: () => root,
  path: '/login',
  validateSearch: invited,
  component: LoginPage,
})
const panel = createRoute({
  getParentRoute: () => root,
  path: '/panel',
  validateSearch: invited,
  component: lazyRouteComponent(() => import('#routes/panel.tsx'), 'PanelPage'),
})
const testSupabase = createRoute({
  getParentRoute: () => root,
  path: '/test-supabase',
  component: lazyRouteComponent(() => import('#routes/test-supabase.tsx'), 'TestSupabasePage'),
})

const broker = createRoute({
  getParentRoute: () => root,
  path: '/broker',
  component: lazyRouteComponent(() => import('./broker-screens.ts'), 'BrokerLayout'),
})
const brokerHome = createRoute({
  getParentRoute: () => broker,
  path: '/',
  validateSearch: ({
    estagio,
    filtro,
    lead,
    oferta,
    resposta,
    adicionar,
  }: Record<string, unknown>): BoardSearch => ({
    estagio: textOf(estagio),
    filtro: textOf(filtro),
    lead: idOf(lead),
    oferta: idOf(oferta),
    resposta: textOf(resposta),
    adicionar: idOf(adicionar),
  }),
  component: lazyRouteComponent(() => import('./broker-screens.ts'), 'BrokerHomePage'),
})
/** Not part of the broker's first chunks. */
export const todayPage = lazyRouteComponent(() => import('#routes/broker-today.tsx'), 'BrokerTodayPage')
const brokerToday = createRoute({
  getParentRoute: () => broker,
  path: '/hoje',
  validateSearch: ({ lead, remarcar, visita }: Record<string, unknown>): DaySearch => ({
    lead: idOf(lead),
    remarcar: idOf(remarcar),
    visita: idOf(visita),
  }),
  component: todayPage,
})
const brokerRemarketing = createRoute({
  getParentRoute: () => broker,
  path: '/remarketing',
  component: lazyRouteComponent(() => import('#routes/broker-remarketing.tsx'), 'BrokerRemarketingPage'),
})

const admin = createRoute({
  getParentRoute: () => root,
  id: 'admin',
  component: lazyRouteComponent(() => import('#routes/admin.tsx'), 'AdminLayout'),
})
const adminHome = createRoute({
  getParentRoute: () => admin,
  path: '/',
  component: lazyRouteComponent(() => import('#routes/admin-home.tsx'), 'AdminHomePage'),
})
/**
 * '/reports' and '/resultado'; the guard lets no other address come here. The name `$id` is used by another route, too,
 * which saves bytes of the first load.
 */
const adminReports = createRoute({
  getParentRoute: () => admin,
  path: '/$id',
  // The screen validates it.
  validateSearch: (search: Record<string, unknown>) => search,
  component: lazyRouteComponent(() => import('#routes/admin-reports.tsx'), 'AdminReportsPage'),
})
const adminRemarketing = createRoute({
  getParentRoute: () => admin,
  path: '/remarketing',
  component: lazyRouteComponent(() => import('#routes/admin-remarketing.tsx'), 'AdminRemarketingPage'),
})
const adminCrm = createRoute({
  getParentRoute: () => admin,
  path: '/crm',
  // The screen validates it.
  validateSearch: (search: { corretores?: unknown; lead?: unknown; vista?: unknown }) => search,
  component: lazyRouteComponent(() => import('#routes/admin-crm.tsx'), 'AdminCrmPage'),
})
const adminPrompts = createRoute({
  getParentRoute: () => admin,
  path: '/prompts',
  // The screen validates it.
  validateSearch: (search: { agente?: unknown; ver?: unknown; conversa?: unknown }) => search,
  component: lazyRouteComponent(() => import('#routes/admin-prompts.tsx'), 'AdminPromptsPage'),
})
const adminPromptEditor = createRoute({
  getParentRoute: () => admin,
  path: '/prompts/$id/$field',
  component: lazyRouteComponent(() => import('#routes/admin-prompt-editor.tsx'), 'AdminPromptEditorPage'),
})
const adminRotations = createRoute({
  getParentRoute: () => admin,
  path: '/roleta',
  // The screen validates it.
  validateSearch: (search: Record<string, unknown>) => search,
  component: lazyRouteComponent(() => import('#routes/admin-rotations.tsx'), 'AdminRotationsPage'),
})

const adminDevelopments = createRoute({
  getParentRoute: () => admin,
  path: '/empreendimentos',
  // The screen validates it.
  validateSearch: (search: Record<string, unknown>) => search,
  component: lazyRouteComponent(() => import('#routes/admin-developments.tsx'), 'AdminDevelopmentsPage'),
})

const accountScreens = createRoute({
  getParentRoute: () => admin,
  id: 'account-screens',
  component: lazyRouteComponent(() => import('#routes/admin-account-screens.tsx'), 'AccountScreensLayout'),
})
const adminAccount = createRoute({
  getParentRoute: () => accountScreens,
  path: '/conta',
  component: lazyRouteComponent(() => import('#routes/admin-account.tsx'), 'AdminAccountPage'),
})
const adminAdmins = createRoute({
  getParentRoute: () => accountScreens,
  path: '/administradores',
  component: lazyRouteComponent(() => import('#routes/admin-admins.tsx'), 'AdminAdminsPage'),
})
const adminTeams = createRoute({
  getParentRoute: () => accountScreens,
  path: '/equipes',
  component: lazyRouteComponent(() => import('#routes/admin-teams.tsx'), 'AdminTeamsPage'),
})
const adminIntegrations = createRoute({
  getParentRoute: () => accountScreens,
  path: '/integracoes',
  component: lazyRouteComponent(() => import('#routes/admin-integrations.tsx'), 'AdminIntegrationsPage'),
})
const adminAudit = createRoute({
  getParentRoute: () => accountScreens,
  path: '/auditoria',
  // The screen validates it.
  validateSearch: (search: AuditSearch) => search,
  component: lazyRouteComponent(() => import('#routes/admin-audit.tsx'), 'AdminAuditPage'),
})

const adminPerson = createRoute({
  getParentRoute: () => accountScreens,
  path: '/dados',
  // The lead's id instead of the phone number, because browsers keep addresses in their history.
  validateSearch: (search: { lead?: unknown }) => search,
  component: lazyRouteComponent(() => import('#routes/admin-person.tsx'), 'AdminPersonPage'),
})
const adminHealth = createRoute({
  getParentRoute: () => accountScreens,
  path: '/saude',
  component: lazyRouteComponent(() => import('#routes/admin-health.tsx'), 'AdminHealthPage'),
})

const routeTree = root.addChildren([
  login,
  panel,
  testSupabase,
  broker.addChildren([brokerHome, brokerToday, brokerRemarketing]),
  admin.addChildren([
    adminHome,
    adminReports,
    adminRemarketing,
    adminCrm,
    adminPrompts,
    adminPromptEditor,
    adminRotations,
    adminDevelopments,
    accountScreens.addChildren([
      adminAccount,
      adminAdmins,
      adminTeams,
      adminIntegrations,
      adminAudit,
      adminPerson,
      adminHealth,
    ]),
  ]),
])

export const router = createRouter({
  routeTree,
  context: { session: { status: 'unknown' } },
  defaultPendingComponent: Splash,
  // The previous screen stays until the next one is loaded; after this wait a loading state is shown.
  defaultPendingMs: 200,
  defaultPendingMinMs: 0,
  defaultErrorComponent: CrashScreen,
})

declare module '@tanstack/react-router' {
  // The router reads this declaration to type every link and search parameter.
  // oxlint-disable-next-line typescript/consistent-type-definitions
  interface Register {
    router: typeof router
  }
}
