// The built portal in demo mode with its own data folder, alone or over a gateway whose faults the tests set.
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { systemClock } from '#server/clock.ts'
import { startSimulator, type ListeningSimulator } from '#server/whatsapp/gateway/simulator/simulator.ts'
import { call, startPortal } from '../portal.ts'
import { ADMIN, brokerNamed, type Person, tokenOf } from './session.ts'

/**
 * The variable with the folder that e2e-setup.ts prepared: creating the demonstration takes longer than all that tests
 * add to it.
 */
export const PREPARED_DEMO = 'PORTAL_E2E_DEMO'

/** The demonstration as at a newcomer's first start; `stop` ends it and deletes its folder. */
export async function startDemo(env: Record<string, string> = {}) {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'portal-e2e-'))
  const prepared = process.env[PREPARED_DEMO]
  if (prepared !== undefined) await cp(prepared, dataDir, { recursive: true })
  const { origin, process: portal } = await startPortal(dataDir, { DEMO: '1', ...env })
  return {
    origin,
    stop: async () => {
      await portal.kill('SIGTERM')
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

export type WhatsApp = { origin: string; simulator: ListeningSimulator }

/** Campaigns send fast and at any hour; no broker is connected yet, and new ones come by invitation. */
export async function startDemoOverGateway(env: Record<string, string> = {}) {
  const simulator = await startSimulator({ clock: systemClock })
  const { origin, stop } = await startDemo({
    ...env,
    EVOLUTION_URL: simulator.url,
    EVOLUTION_API_KEY: simulator.apiKey,
    FIRST_ACCESS: 'invite',
    CAMPAIGN_DELAY_MS: '300-500',
  })
  const token = await tokenOf(origin, ADMIN)
  await call(`${origin}/rest/v1/rpc/save_campaign_settings`, { token, body: AT_ANY_HOUR })
  return {
    origin,
    simulator,
    stop: async () => {
      await stop()
      await simulator.stop()
    },
  }
}

const AT_ANY_HOUR = {
  p_opens_at: 0,
  p_closes_at: 24,
  p_sends_on_sundays: true,
  p_daily_cap: 500,
  p_warm_up_from: 500,
  p_warm_up_days: 1,
  p_rest_days: 0,
}

/**
 * Connects the broker's WhatsApp to the phone with that number; its messages are read at once. `by` presses the
 * buttons.
 */
export async function connect(
  { origin, simulator: { control } }: WhatsApp,
  { username, number, by = brokerNamed(username) }: { username: string; number: string; by?: Person },
) {
  const token = await tokenOf(origin, by)
  const instance = `corretor_${username}`
  const state = async () =>
    (await call<{ state: string }>(`${origin}/api/instance?fresh=1&instanceName=${instance}`, { token })).body
      .state
  if ((await state()) === 'open') return
  await call(`${origin}/api/instance/connect?instanceName=${instance}`, { token, body: {} })
  control.scan({ instance, number, name: username })
  control.acks({ instance, plan: 'read' })
  while ((await state()) !== 'open');
}
