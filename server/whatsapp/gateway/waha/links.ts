// Links a session to a phone, ends the link, and restarts linked sessions that WAHA has given up.
import * as v from 'valibot'
import type { Clock } from '#server/clock.ts'
import { GatewayError, type Gateway, type LinkOffer } from '#server/gateway.ts'
import { ignoreFault, type Ask } from '../ask.ts'
import { gatewayError, type Operation } from '../faults.ts'
import { Code, Picture, Raw, Session, stateOf } from './answers.ts'
import { sessionCall } from './ask.ts'
import { webhookIn } from './config.ts'

const LOOKS = 12
const LOOK_EVERY_MS = 500
/** WAHA makes a new code at each request and only the last one is valid, so a code is kept for this time. */
const CODE_KEPT_MS = 45_000

export function createLinkCalls(ask: Ask, clock: Clock): Pick<Gateway, 'connect' | 'restart' | 'logout'> {
  const codes = new Map<string, { number: string; code: string; atMs: number }>()
  const look = (operation: Operation, name: string) => ask(Session, sessionCall(operation, name))
  const change = (operation: Operation, name: string, to: string) => {
    codes.delete(name)
    return ask(v.unknown(), [operation, name, 'POST', `/api/sessions/${name}/${to}`])
  }

  async function pairingCode(name: string, number: string): Promise<string> {
    const known = codes.get(name)
    if (known?.number === number && clock.now() - known.atMs < CODE_KEPT_MS) return known.code
    const body = { phoneNumber: number }
    const answer = await ask(Code, ['connect', name, 'POST', `/api/${name}/auth/request-code`], { body })
    const code = answer.code.replace(/\W/g, '')
    codes.set(name, { number, code, atMs: clock.now() })
    return code
  }

  async function offer(name: string, number: string | undefined): Promise<LinkOffer> {
    const path = `/api/${name}/auth/qr`
    const { value: qrText } = await ask(Raw, ['connect', name, 'GET', `${path}?format=raw`])
    const { data } = await ask(Picture, ['connect', name, 'GET', path])
    const pairing = number === undefined ? null : await pairingCode(name, number.replace(/\D/g, ''))
    return { kind: 'code', qrImage: `data:image/png;base64,${data}`, qrText, pairingCode: pairing, count: 1 }
  }

  return {
    async connect(name, number) {
      for (let left = LOOKS, begun = ''; left > 0; left -= 1) {
        const { status } = await look('connect', name)
        if (status === 'WORKING') return { kind: 'open' }
        if (status === 'SCAN_QR_CODE') return offer(name, number).catch(waitIfLinked)
        const step = stepOf(status, begun)
        if (step !== null) await change('connect', name, (begun = step))
        await clock.sleep(LOOK_EVERY_MS)
      }
      return { kind: 'waiting' }
    },
    /** Rejects if no phone is linked, because WAHA would start such a session, too. */
    async restart(name) {
      const session = await look('restart', name)
      if (stateOf(session) === 'close' && session.me === null) throw gatewayError('restart', 'not-linked')
      await change('restart', name, 'restart')
    },
    /** Stops the session after the logout, because WAHA starts it again to show a new code. */
    async logout(name) {
      if ((await look('logout', name)).me !== null) await change('logout', name, 'logout')
      await change('logout', name, 'stop')
    },
  }
}

/** The phone may have scanned the code before it was read. */
function waitIfLinked(error: unknown): LinkOffer {
  if (error instanceof GatewayError && error.fault === 'not-linked') return { kind: 'waiting' }
  throw error
}

/** A failed session ignores a start. One that the phone has unlinked fails again until it is logged out. */
function stepOf(status: string, begun: string): 'start' | 'restart' | 'logout' | null {
  if (status === 'STOPPED') return 'start'
  if (status !== 'FAILED' || begun === 'logout') return null
  return begun === 'restart' ? 'logout' : 'restart'
}

const FIRST_WAIT_MS = 60_000
const LONGEST_WAIT_MS = 30 * 60_000

/**
 * Restarts linked sessions that failed, because WAHA gives up after some failed logins. It runs with every list of
 * sessions, which the portal reads twice a minute. Sessions of other systems are left alone.
 */
export function createRevival(ask: Ask, clock: Pick<Clock, 'now'>) {
  const tries = new Map<string, { waitMs: number; atMs: number }>()
  /** Names of linked sessions. A restarted session does not know its phone until it works. */
  const linked = new Set<string>()
  return async (sessions: readonly Session[]): Promise<void> => {
    for (const { name, status, me, config } of sessions) {
      if (status === 'WORKING') tries.delete(name)
      if (me !== null) linked.add(name)
      if (status !== 'FAILED' || !linked.has(name) || !webhookIn(config)?.url.includes(`/webhook/${name}/`))
        continue
      const last = tries.get(name)
      if (last && clock.now() - last.atMs < last.waitMs) continue
      tries.set(name, {
        waitMs: Math.min(last ? last.waitMs * 2 : FIRST_WAIT_MS, LONGEST_WAIT_MS),
        atMs: clock.now(),
      })
      await ask(v.unknown(), ['restart', name, 'POST', `/api/sessions/${name}/restart`]).catch(ignoreFault)
    }
  }
}
