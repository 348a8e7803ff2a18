// Campaigns put together: the routes that plan and steer them, and the worker that runs them. SPEC.md 2.18; PRODUCT.md 2, 4.5.
import type { Hono } from 'hono'
import type { Signed } from '#server/http/requests.ts'
import { createCampaignRoutes, type RouteParts } from './campaign-routes.ts'
import { createRunner, type RunParts } from './campaign-worker.ts'

type Options = Omit<RouteParts, 'onChanged'> & RunParts

export type Campaigns = {
  /** For /api/campaigns. */
  routes: Hono<Signed>
  /** A line was settled, or a link opened: something may go on. */
  wake(): void
  /** Starts the worker; the answer stops it. */
  start(): () => Promise<void>
}

export function createCampaigns(options: Options): Campaigns {
  const runner = createRunner(options)
  const { isConfigured } = options
  const wake = () => {
    if (isConfigured) runner.wake()
  }
  return {
    routes: createCampaignRoutes({ ...options, onChanged: wake }),
    wake,
    start: () => (isConfigured ? runner.start() : () => Promise.resolve()),
  }
}
