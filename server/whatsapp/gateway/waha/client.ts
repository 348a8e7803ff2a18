// WAHA (2026.6.1 or newer, engine NOWEB) as the portal's gateway.
import * as v from 'valibot'
import { GatewayError, type Gateway, type LinkOffer } from '#server/gateway.ts'
import type { Clock } from '#server/clock.ts'
import { createVersionCheck, read, requireName } from '../checks.ts'
import { gatewayError } from '../faults.ts'
import { createHttp, type Call, type HttpOptions } from '../http.ts'
import { Code, instanceOf, Picture, Raw, Session, stateOf, Version } from './answers.ts'
import { configOf, contains, webhookIn } from './config.ts'
import { answerError, NEEDED } from './faults.ts'
import { createRevival } from './revival.ts'
import { createSearch } from './search.ts'
import { createSends } from './sends.ts'

export type Ask = <T extends v.GenericSchema>(
  schema: T,
  call: Call & { instanceName: string },
) => Promise<v.InferOutput<T>>

export function createWahaGateway(options: HttpOptions): Gateway {
  const { clock } = options
  const http = createHttp(options, { keyHeader: 'x-api-key', answerError })
  const checkVersion = createVersionCheck(clock, async () => {
    const answer = await http({ operation: 'version', method: 'GET', path: '/api/server/version' })
    return supportedVersion(v.safeParse(Version, answer))
  })
  const ask: Ask = async (schema, call) => {
    requireName(call.operation, call.instanceName)
    await checkVersion()
    return read(call.operation, schema, await http(call))
  }
  const revive = createRevival(ask, clock)
  return {
    version: checkVersion,
    listInstances: async () => {
      await checkVersion()
      const path = '/api/sessions?all=true'
      const sessions = read('list', v.array(Session), await http({ operation: 'list', method: 'GET', path }))
      await revive(sessions)
      return sessions.map(instanceOf)
    },
    ...createInstanceCalls(ask),
    ...createLinkCalls(ask, clock),
    ...createSends(ask, clock),
    ...createSearch(ask),
  }
}

const OLDEST = [2026, 6, 1]

/** Older versions send no files and hold one session; other engines write messages in other forms. */
function supportedVersion(answer: v.SafeParseResult<typeof Version>): string {
  const { version = '', engine = '' } = answer.success ? answer.output : {}
  const parts = /^(\d+)\.(\d+)\.(\d+)/.exec(version)?.slice(1).map(Number) ?? [0]
  const differs = OLDEST.findIndex((part, at) => part !== parts[at])
  const isOld = differs >= 0 && (parts[differs] ?? 0) < (OLDEST[differs] ?? 0)
  if (!isOld && engine === 'NOWEB') return version
  const found = `${version} ${engine}`
    .replace(/[^\w. -]/g, '')
    .slice(0, 40)
    .trim()
  throw gatewayError('version', 'unsupported', {
    detail: found === '' ? `este servidor não é um WAHA; ${NEEDED}` : `o WAHA ${found} não serve; ${NEEDED}`,
  })
}

const sessionCall = (operation: Call['operation'], instanceName: string) =>
  ({ operation, method: 'GET', instanceName, path: `/api/sessions/${instanceName}` }) as const

const nullIfUnknown = (error: unknown) => {
  if (error instanceof GatewayError && error.fault === 'unknown-instance') return null
  throw error
}

type InstanceCalls = Pick<
  Gateway,
  | 'createInstance'
  | 'findInstance'
  | 'linkState'
  | 'deleteInstance'
  | 'setWebhook'
  | 'findWebhook'
  | 'setSettings'
>

function createInstanceCalls(ask: Ask): InstanceCalls {
  return {
    /** Stopped, because its codes would run out before a person scans one. */
    async createInstance({ instanceName, webhook }) {
      const body = { name: instanceName, start: false, config: configOf(webhook) }
      const path = '/api/sessions'
      return instanceOf(await ask(Session, { operation: 'create', method: 'POST', path, instanceName, body }))
    },
    async findInstance(instanceName) {
      const found = await ask(Session, sessionCall('find', instanceName)).catch(nullIfUnknown)
      return found && instanceOf(found)
    },
    linkState: async (instanceName) => stateOf(await ask(Session, sessionCall('find', instanceName))),
    async deleteInstance(instanceName) {
      await ask(v.unknown(), { ...sessionCall('remove', instanceName), method: 'DELETE' }).catch(
        nullIfUnknown,
      )
    },
    /** A change stops and starts the session. */
    async setWebhook(instanceName, webhook) {
      const config = configOf(webhook)
      const found = await ask(Session, sessionCall('webhook', instanceName))
      if (contains(found.config, config)) return
      const body = { config }
      const saved = await ask(Session, { ...sessionCall('webhook', instanceName), method: 'PUT', body })
      if (webhookIn(saved.config)?.url !== webhook.url) throw gatewayError('webhook', 'failed')
    },
    findWebhook: async (instanceName) =>
      webhookIn((await ask(Session, sessionCall('webhook', instanceName))).config),
    /** They are part of the webhook's configuration. */
    setSettings: () => Promise.resolve(),
  }
}

const LOOKS = 12
const LOOK_EVERY_MS = 500
/** Each request makes another code, and only the last one is valid. */
const CODE_KEPT_MS = 45_000

function createLinkCalls(ask: Ask, clock: Clock): Pick<Gateway, 'connect' | 'restart' | 'logout'> {
  const codes = new Map<string, { number: string; code: string; atMs: number }>()
  const change = (operation: 'connect' | 'restart' | 'logout', instanceName: string, to: string) => {
    codes.delete(instanceName)
    const path = `/api/sessions/${instanceName}/${to}`
    // Stopping answers nothing if the session is unknown.
    return ask(v.unknown(), { operation, method: 'POST', instanceName, path })
  }

  async function pairingCode(instanceName: string, number: string): Promise<string> {
    const known = codes.get(instanceName)
    if (known?.number === number && clock.now() - known.atMs < CODE_KEPT_MS) return known.code
    const path = `/api/${instanceName}/auth/request-code`
    const body = { phoneNumber: number }
    const { code } = await ask(Code, { operation: 'connect', method: 'POST', instanceName, path, body })
    codes.set(instanceName, { number, code, atMs: clock.now() })
    return code
  }

  async function offer(instanceName: string, number: string | undefined): Promise<LinkOffer> {
    const call = { operation: 'connect', method: 'GET', instanceName } as const
    const path = `/api/${instanceName}/auth/qr`
    const { value } = await ask(Raw, { ...call, path: `${path}?format=raw` })
    const { data } = await ask(Picture, { ...call, path })
    const code = number === undefined ? null : await pairingCode(instanceName, number.replace(/\D/g, ''))
    return {
      kind: 'code',
      qrImage: `data:image/png;base64,${data}`,
      qrText: value,
      pairingCode: code?.replace(/\W/g, '') ?? null,
      count: 1,
    }
  }

  return {
    async connect(instanceName, number) {
      for (let look = 0, begun = ''; look < LOOKS; look += 1) {
        const { status, me } = await ask(Session, sessionCall('connect', instanceName))
        if (status === 'WORKING') return { kind: 'open' }
        if (status === 'SCAN_QR_CODE') return offer(instanceName, number).catch(waitIfLinked)
        const step = stepOf(status, begun)
        if (step === 'logout' && me === null) break
        if (step !== null) await change('connect', instanceName, (begun = step))
        await clock.sleep(LOOK_EVERY_MS)
      }
      return { kind: 'waiting' }
    },
    /** The server would also start a session that no phone is linked to. */
    async restart(instanceName) {
      const session = await ask(Session, sessionCall('restart', instanceName))
      if (stateOf(session) === 'close' && session.me === null) throw gatewayError('restart', 'not-linked')
      await change('restart', instanceName, 'restart')
    },
    /** A logout starts the session again, which would show a new code. */
    async logout(instanceName) {
      const { me } = await ask(Session, sessionCall('logout', instanceName))
      if (me !== null) await change('logout', instanceName, 'logout')
      await change('logout', instanceName, 'stop')
    },
  }
}

/** The phone may have scanned the code before it was read. */
function waitIfLinked(error: unknown): LinkOffer {
  if (error instanceof GatewayError && error.fault === 'not-linked') return { kind: 'waiting' }
  throw error
}

/** A failed session ignores a start; one that the phone unlinked fails again until it is logged out. */
function stepOf(status: string, begun: string): 'start' | 'restart' | 'logout' | null {
  if (status === 'STOPPED') return 'start'
  if (status !== 'FAILED' || begun === 'logout') return null
  return begun === 'restart' ? 'logout' : 'restart'
}
