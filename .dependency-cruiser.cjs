// The walls of the house: which room may look into which. One rule each, all errors.
const rule = (name, from, to, extra = {}) => ({
  name,
  severity: 'error',
  from: { path: from, ...extra.from },
  to: { path: to, ...extra.to },
})
const SERVER_MODULES =
  'auth|audit|rest|brokers|gateway|webhook|messages|leads|campaigns|agents|push|people|backup'

module.exports = {
  forbidden: [
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-orphans',
      severity: 'error',
      from: {
        orphan: true,
        pathNot: '(main|service-worker|vite-env\\.d)\\.tsx?$|server/cli/|-worker\\.mjs$',
      },
      to: {},
    },
    {
      name: 'domain-is-pure',
      severity: 'error',
      from: { path: '^src/domain/' },
      to: { pathNot: '^src/domain/' },
    },
    rule('ui-knows-no-portal', '^src/ui/', '^(src/(?!ui/|styles/)|server/|service-worker/)'),
    rule('api-floor', '^src/api/', '^src/(?!api/|domain/)'),
    rule('offline-floor', '^src/offline/', '^src/(?!offline/|api/|domain/)'),
    rule('data-floor', '^src/data/', '^src/(?!data/|offline/|api/|domain/)'),
    rule('live-floor', '^src/live/', '^src/(?!live/|data/|offline/|api/|domain/)'),
    {
      name: 'features-stand-alone',
      severity: 'error',
      from: { path: '^src/features/([^/]+)/' },
      to: { path: '^src/features/', pathNot: '^src/features/$1/' },
    },
    rule('feature-floor', '^src/features/', '^src/(?!features/|ui/|data/|live/|offline/drafts|domain/)'),
    rule('routes-floor', '^src/routes/', '^src/(?!routes/|features/|ui/|data/|domain/|styles/)'),
    {
      name: 'routes-stand-alone',
      severity: 'error',
      from: { path: '^src/routes/([^/]+)$' },
      to: { path: '^src/routes/', pathNot: '^src/routes/$1$' },
    },
    rule('server-sees-domain-only', '^server/', '^(src/(?!domain/)|service-worker/)'),
    rule('client-not-server', '^src/', '^(server|service-worker|supabase|tests)/'),
    rule('worker-floor', '^service-worker/', '^(server/|src/(?!domain/|offline/|api/))'),
    {
      name: 'server-modules-meet-in-portal',
      severity: 'error',
      from: { path: `^server/(${SERVER_MODULES})/` },
      to: { path: `^server/(${SERVER_MODULES})/`, pathNot: '^server/($1/|auth/principal\\.ts$)' },
    },
  ],
  options: {
    tsConfig: { fileName: 'src/tsconfig.json' },
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
  },
}
