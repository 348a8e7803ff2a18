// Renews the webhooks of all instances at each start, because an instance keeps the events and address of its
// creation; a new version or address applies to old links, too.
import type { Clock } from '#server/clock.ts'
import type { Database } from '#server/db/database.ts'
import { errorFields, type Log } from '#server/log.ts'
import { GatewayError, type Gateway } from '#server/gateway.ts'

const AGAIN_AFTER_MS = 60_000

type UsedSecretParts = {
  gateway: Pick<Gateway, 'findWebhook'>
  /** Resolves to null if the secret is not the instance's. */
  isKnown: (instanceName: string, secret: string) => Promise<unknown>
}

/** The secret with which an instance reports to this portal; null if it reports to another receiver, or to nobody. */
export async function usedSecret(
  { gateway, isKnown }: UsedSecretParts,
  instanceName: string,
): Promise<string | null> {
  const registered = await gateway.findWebhook(instanceName)
  const [, name, secret] = /\/webhook\/([^/]+)\/([\w-]+)$/.exec(registered?.url ?? '') ?? []
  if (name !== instanceName || secret === undefined) return null
  return (await isKnown(instanceName, secret)) ? secret : null
}

type RenewalParts = UsedSecretParts & {
  db: Database
  clock: Clock
  log: Log
  gateway: Pick<Gateway, 'findWebhook' | 'setWebhook'>
  webhookBase: () => string
}

/** `start` returns the function that stops. Secrets stay valid, so that deliveries in flight arrive. */
export function createWebhookRenewal({ db, clock, log, gateway, webhookBase, isKnown }: RenewalParts) {
  const stopping = new AbortController()

  /** Skips an instance that reports to another receiver, and a deleted one. */
  async function renew(instanceName: string): Promise<void> {
    const secret = await usedSecret({ gateway, isKnown }, instanceName)
    if (secret === null) return
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
