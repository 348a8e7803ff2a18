// The route table. Each screen's code loads when the screen is first shown.
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
 * The board's parameters: a stage with a filter; an open conversation; the offer of a tapped notification with the
 * chosen answer; the icon's shortcut 'Adicionar lead'.
 */
type BoardSearch = {
  estagio?: string | undefined
  filtro?: string | undefined
  lead?: number | undefined
  oferta?: number | undefined
  resposta?: string | undefined
  adicionar?: number | undefined
}

/**
 * The parameters of 'Hoje' from a tapped notification: the lead whose visit is to be moved, or whose outcome is asked
 * for.
 */
type DaySearch = Pick<BoardSearch, 'lead'> & { remarcar?: number | undefined; visita?: number | undefined }

const root = createRootRouteWithContext<RouterContext>()({
  beforeLoad: guard,
  component: Root,
  // Never shown, because the guard redirects unknown addresses before.
  notFoundComponent: Splash,
})

/** The parameters of an invitation link: the invited account and its one-time code. */
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
  component: lazyRouteComponent(() => import('./broker-start.ts'), 'BrokerLayout'),
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
  component: lazyRouteComponent(() => import('./broker-start.ts'), 'BrokerHomePage'),
})
/** A chunk of its own, because a broker's first screen is the board. */
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
 * '/reports', '/resultado' and '/origens'; the guard lets no other address come here. The name `$id` is used by another
 * route, too, which saves bytes of the first load.
 */
const adminReports = createRoute({
  getParentRoute: () => admin,
  path: '/$id',
  // The screen validates the parameters.
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
  // The screen validates the parameters.
  validateSearch: (search: { corretores?: unknown; lead?: unknown; vista?: unknown }) => search,
  component: lazyRouteComponent(() => import('#routes/admin-crm.tsx'), 'AdminCrmPage'),
})
const adminPrompts = createRoute({
  getParentRoute: () => admin,
  path: '/prompts',
  // The screen validates the parameters.
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
  // The screen validates the parameters.
  validateSearch: (search: Record<string, unknown>) => search,
  component: lazyRouteComponent(() => import('#routes/admin-rotations.tsx'), 'AdminRotationsPage'),
})

const adminDevelopments = createRoute({
  getParentRoute: () => admin,
  path: '/empreendimentos',
  // The screen validates the parameters.
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
  // The screen validates the parameters.
  validateSearch: (search: AuditSearch) => search,
  component: lazyRouteComponent(() => import('#routes/admin-audit.tsx'), 'AdminAuditPage'),
})

const adminPerson = createRoute({
  getParentRoute: () => accountScreens,
  path: '/dados',
  // Contains the lead's id, not the phone number, because browsers keep addresses in their history.
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
  // After this wait for the next screen, a loading state replaces the previous screen.
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
