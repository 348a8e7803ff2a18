// Composes the campaigns module: the routes that plan and steer, and the worker.
import type { Hono } from 'hono'
import type { Signed } from '#server/http/requests.ts'
import { createCampaignRoutes, createStart, type RouteParts, type StartParts } from './campaign-routes.ts'
import { createPlanStore, createSegmentStore } from './campaign-store.ts'
import { createRunner, type RunParts } from './campaign-worker.ts'
import { createSegmentRoutes } from './segment-routes.ts'
import { createWireCampaigns } from './wire-campaigns.ts'

type Options = Omit<RouteParts, 'onChanged' | 'store' | 'start'> & StartParts & RunParts

export type Campaigns = {
  /** Routes for /api/campaigns. */
  routes: Hono<Signed>
  /** Handles writes of /rest/v1/remarketing_campaigns. */
  wireCampaigns: ReturnType<typeof createWireCampaigns>
  /** Other modules call it when a message was settled or a link opened, so that a campaign can go on. */
  wake(): void
  /** Starts the worker; the returned function stops it. */
  start(): () => Promise<void>
}

export function createCampaigns(options: Options): Campaigns {
  const runner = createRunner(options)
  const { isConfigured } = options
  const wake = () => {
    if (isConfigured) runner.wake()
  }
  const store = createPlanStore(options.db)
  const start = createStart(options, store)
  const routes = createCampaignRoutes({ ...options, store, start, onChanged: wake })
  routes.route(
    '/segments',
    createSegmentRoutes({ ...options, store: createSegmentStore(options.db), onChanged: wake }),
  )
  return {
    routes,
    wireCampaigns: createWireCampaigns({
      store,
      clock: options.clock,
      start: (claims, body) => start(claims, body, null),
      onChanged: wake,
    }),
    wake,
    start: () => (isConfigured ? runner.start() : () => Promise.resolve()),
  }
}
