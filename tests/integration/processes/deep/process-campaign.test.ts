// kill -9 during a campaign, eight times, and three times with WAHA: every contact gets it at most once, none is
// forgotten, and uncertain results are shown as unknown.
import { randomUUID } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { systemClock } from '#server/clock.ts'
import { BROKER } from '#tests/support/board.ts'
import { prepareLinkedPortal } from '#tests/support/linked-portal.ts'
import { call, signIn, type RunningPortal } from '#tests/support/portal.ts'

type Recipient = { body: string; state: string }

const recipients = async ({ origin }: RunningPortal, token: string) =>
  (await call<Recipient[]>(`${origin}/rest/v1/campaign_recipients?select=body,state&order=id`, { token }))
    .body

test.each([
  ['evolution', 400, 8],
  ['waha', 20, 3],
] as const)(
  'with %s, %i contacts and %i kills',
  async (kind, contacts, kills) => {
    const checkout = await prepareLinkedPortal({
      kind,
      leads: contacts,
      env: { CAMPAIGN_DELAY_MS: kind === 'waha' ? '200-200' : '0-0' },
      // Each text is different, to identify its recipient; sending is allowed at any hour, and to all of them today.
      prepare: (db) =>
        db.exec(
          `update public.whatsapp_contacts set name = 'Ana' || translate(id::text, '0123456789', 'abcdefghij'), status = 'new';
         update public.campaign_settings
         set opens_at = 0, closes_at = 24, sends_on_sundays = true, daily_cap = 5000, warm_up_days = 1`,
        ),
    })
    onTestFinished(() => checkout.clear())
    let portal = await checkout.start()
    let token = await signIn(portal.origin, BROKER.email, BROKER.password)
    const started = await call(`${portal.origin}/api/campaigns`, {
      token,
      body: { operationId: randomUUID(), stage: 'new', message: '{nome}' },
    })
    expect(started.status).toBe(200)
    for (let kill = 1; kill <= kills; kill++) {
      const least = (contacts / (kills + 1)) * kill
      await until(async () => (await checkout.delivered()).length >= least)
      await portal.process.kill('SIGKILL')
      portal = await checkout.start()
    }
    token = await signIn(portal.origin, BROKER.email, BROKER.password)
    const running = portal
    await until(async () =>
      (await recipients(running, token)).every(({ state }) => state === 'sent' || state === 'unknown'),
    )
    const texts = await checkout.delivered()
    const rows = await recipients(running, token)
    expect(new Set(texts).size).toBe(texts.length)
    expect(rows).toHaveLength(contacts)
    const sent = rows.filter(({ state }) => state === 'sent').map(({ body }) => body)
    const unknown = rows.filter(({ state }) => state === 'unknown').map(({ body }) => body)
    expect(sent.filter((body) => !texts.includes(body))).toEqual([])
    expect(unknown.length).toBeLessThanOrEqual(kills)
    expect(texts.filter((body) => !sent.includes(body) && !unknown.includes(body))).toEqual([])
  },
  300_000,
)

async function until(fits: () => Promise<boolean>) {
  while (!(await fits())) await systemClock.sleep(500)
}
