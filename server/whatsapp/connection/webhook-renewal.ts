// What an instance reports stays as it was told when it was made or linked: at its start the portal tells each one again, so that
// another version's events and another address of the portal hold for instances that are long linked, too.
import type { Clock } from '#server/clock.ts'
import type { Database } from '#server/db/database.ts'
import { errorFields, type Log } from '#server/log.ts'
import { GatewayError, type Gateway } from '#server/gateway.ts'

const AGAIN_AFTER_MS = 60_000

type RenewalParts = {
  db: Database
  clock: Clock
  log: Log
  gateway: Pick<Gateway, 'findWebhook' | 'setWebhook'>
  webhookBase: () => string
  /** Whether an instance's secret is one of ours. */
  isKnown: (instanceName: string, secret: string) => Promise<boolean>
}

/** `start` answers the function that stops. The secrets stay: what is on its way under them still arrives. */
export function createWebhookRenewal({ db, clock, log, gateway, webhookBase, isKnown }: RenewalParts) {
  const stopping = new AbortController()

  /** Leaves alone an instance that reports to somebody else, and one that is gone. */
  async function renew(instanceName: string): Promise<void> {
    const registered = await gateway.findWebhook(instanceName)
    const [, name, secret] = /\/webhook\/([^/]+)\/([\w-]+)$/.exec(registered?.url ?? '') ?? []
    if (name !== instanceName || secret === undefined || !(await isKnown(instanceName, secret))) return
    await gateway.setWebhook(instanceName, { url: `${webhookBase()}/webhook/${instanceName}/${secret}` })
  }

  async function isRenewed(instanceName: string): Promise<boolean> {
    try {
      await renew(instanceName)
      return true
    } catch (error) {
      if (error instanceof GatewayError && error.fault === 'unknown-instance') return true
      log.warn('webhook.not-renewed', { instance: instanceName, ...errorFields(error) })
      return false
    }
  }

  async function renewAll(): Promise<void> {
    const { rows } = await db.query<{ instanceName: string }>(
      'select "instanceName" from portal.webhook_secrets order by 1',
    )
    let left = rows.map((row) => row.instanceName)
    while (left.length > 0 && !stopping.signal.aborted) {
      const failed: string[] = []
      for (const instanceName of left)
        if (!stopping.signal.aborted && !(await isRenewed(instanceName))) failed.push(instanceName)
      left = failed
      if (left.length > 0) await clock.sleep(AGAIN_AFTER_MS, stopping.signal)
    }
  }

  return {
    start: (): (() => void) => {
      renewAll().catch((error: unknown) => log.warn('webhook.not-renewed', errorFields(error)))
      return () => stopping.abort()
    },
  }
}
