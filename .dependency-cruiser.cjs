// The import rules: which folder may import which. Each is an error.
const rule = (name, from, to, extra = {}) => ({
  name,
  severity: 'error',
  from: { path: from, ...extra.from },
  to: { path: to, ...extra.to },
})
/** A feature's own data files: `data.ts`, `reports-data.ts`. */
const FEATURE_DATA = '^src/features/.*data\\.ts$'
const SERVER_MODULES =
  'auth|audit|rest|brokers|whatsapp/(?:connection|webhook|sending|media|reconcile|gateway)|leads|campaigns|developments|agents|push|events|machine|privacy|teams|ops/backup'

/** The folders of a feature in order: each imports only folders before it, and no page of the feature. */
const floorsOf = (feature, folders) =>
  folders.map((folder, at) =>
    rule(
      `${feature}-floors`,
      `^src/features/${feature}/${folder}/`,
      `^src/features/${feature}/([^/]+$|(${folders.slice(at + 1).join('|')})/)`,
    ),
  )

/** A broker is added and removed together with the instance at the gateway. */
const BROKERS_AND_THEIR_INSTANCE = '^server/brokers/brokers\\.ts$'

module.exports = {
  forbidden: [
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-orphans',
      severity: 'error',
      from: {
        orphan: true,
        pathNot:
          '(main|chunk-loader|load-part|service-worker|vite-env\\.d)\\.tsx?$|server/ops/(cli|build)/|-worker\\.mjs$',
      },
      to: {},
    },
    {
      name: 'domain-is-pure',
      severity: 'error',
      from: { path: '^src/domain/' },
      // The numbering plans of all countries are as pure.
      to: { pathNot: '^(src/domain/|node_modules/libphonenumber-js/)' },
    },
    // Two files of src/data are allowed: they tell when a page has painted, and which read has to come first.
    rule(
      'ui-knows-no-portal',
      '^src/ui/',
      '^(src/(?!ui/|styles/|data/(after-paint|first-in-line)\\.ts$)|server/|service-worker/)',
    ),
    rule('api-floor', '^src/api/', '^src/(?!api/|domain/)'),
    rule('offline-floor', '^src/offline/', '^src/(?!offline/|api/|domain/)'),
    rule('data-floor', '^src/data/', '^src/(?!data/|offline/|api/|domain/)'),
    rule('live-floor', '^src/live/', '^src/(?!live/|data/|offline/|api/|domain/)'),
    {
      // Features may not import each other. A page of src/routes passes one feature's elements to another as props.
      name: 'features-stand-alone',
      severity: 'error',
      from: { path: '^src/features/([^/]+)/' },
      to: { path: '^src/features/', pathNot: '^src/features/$1/' },
    },
    ...floorsOf('board', 'ground notes day moves card columns gestures search pager'.split(' ')),
    ...floorsOf(
      'conversation',
      'ground suggestion handover later quick-replies sharing voice message composer lead list'.split(' '),
    ),
    rule('feature-floor', '^src/features/', '^src/(?!features/|ui/|data/|live/|offline/drafts|domain/)', {
      from: { pathNot: FEATURE_DATA },
    }),
    // The data files of one feature lie beside it, under the same rule as src/data.
    rule('feature-data-floor', FEATURE_DATA, '^src/(?!features/|data/|offline/|api/|domain/)'),
    rule('routes-floor', '^src/routes/', '^src/(?!routes/|features/|ui/|data/|domain/|styles/)'),
    {
      name: 'routes-stand-alone',
      severity: 'error',
      from: { path: '^src/routes/([^/]+)$' },
      // What several pages put together alike stands in parts/.
      to: { path: '^src/routes/', pathNot: '^src/routes/($1$|parts/)' },
    },
    rule('server-sees-domain-only', '^server/', '^(src/(?!domain/)|service-worker/)'),
    rule('client-not-server', '^src/', '^(server|service-worker|supabase|tests)/'),
    rule('worker-floor', '^service-worker/', '^(server/|src/(?!domain/|offline/|api/))'),
    {
      name: 'server-modules-meet-in-portal',
      severity: 'error',
      from: { path: `^server/(${SERVER_MODULES})/`, pathNot: BROKERS_AND_THEIR_INSTANCE },
      to: { path: `^server/(${SERVER_MODULES})/`, pathNot: '^server/($1/|auth/principal\\.ts$)' },
    },
    rule(
      'whatsapp-knows-no-other-module',
      '^server/whatsapp/whatsapp\\.ts$',
      '^server/(agents|brokers|campaigns|leads|privacy|push)/',
    ),
    rule('http-below-ops', '^server/http/', '^server/ops/'),
    rule(
      'rest-sees-the-database',
      '^server/rest/',
      '^server/(?!rest/|db/|settings|clock|log|text-answer|request-bytes)',
    ),
    rule(
      'simulator-stands-alone',
      '^server/whatsapp/gateway/simulator/',
      '^server/(?!whatsapp/gateway/simulator/|gateway\\.ts|clock|log)',
    ),
  ],
  options: {
    tsConfig: { fileName: 'src/tsconfig.json' },
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
  },
}
