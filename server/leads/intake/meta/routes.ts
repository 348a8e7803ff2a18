// Meta's webhooks at /api/leads/meta/:key: stored before they are answered.
import { Hono, type Context } from 'hono'
import { PortalError } from '#domain/errors.ts'
import type { Clock } from '#server/clock.ts'
import { errorFields, type Log } from '#server/log.ts'
import { limitBody, UUID } from '#server/http/requests.ts'
import type { createIntakeStore, Key } from '../intake-store.ts'
import { answerChallenge, isSigned } from './meta.ts'
import { hasAnswers, isSample, readLeadgens, toLead } from '../sources/meta.ts'

const MAX_META_BYTES = 1024 * 1024

type Parts = {
  clock: Clock
  log: Log
  store: ReturnType<typeof createIntakeStore>
  /** Called when a lead was created. */
  onTaken: () => void
  /** Called when leads wait to be fetched from Meta. */
  onNotified: () => void
}

export function createMetaRoutes({ clock, log, store, onTaken, onNotified }: Parts): Hono {
  const routes = new Hono()

  routes.get(`/meta/:key{${UUID}}`, async (context) => {
    const key = await metaKey(context)
    const asked = (name: string) => context.req.query(`hub.${name}`) ?? ''
    const challenge = answerChallenge(
      { mode: asked('mode'), token: asked('verify_token'), challenge: asked('challenge') },
      key.secrets,
    )
    if (challenge === null)
      throw new PortalError('meta.wrong-token', 'O token de verificação não confere.', { status: 403 })
    return context.text(challenge)
  })

  routes.post(`/meta/:key{${UUID}}`, limitBody(MAX_META_BYTES), async (context) => {
    const key = await metaKey(context)
    const bytes = new Uint8Array(await context.req.arrayBuffer())
    if (!isSigned(bytes, context.req.header('x-hub-signature-256'), key.secrets))
      throw new PortalError('meta.wrong-signature', 'A assinatura da Meta não confere.', { status: 401 })
    if (key.waitSeconds > 0) return tooMany(context, key.waitSeconds)
    const leadgens = readLeadgens(parse(new TextDecoder().decode(bytes)))
    const untaken = []
    for (const leadgen of leadgens) if (!(await takeAnswered(key, leadgen))) untaken.push(leadgen)
    if (untaken.length > 0) {
      await store.keepLeadgens(key.id, untaken, clock.now())
      onNotified()
    }
    return context.json({ status: 'recebido', leads: leadgens.length }, 200, { 'cache-control': 'no-store' })
  })

  /**
   * True if the delivery contained enough to create the lead, or was a test; otherwise the lead is fetched
   * from Meta.
   */
  async function takeAnswered(key: Key, leadgen: ReturnType<typeof readLeadgens>[number]): Promise<boolean> {
    if (!hasAnswers(leadgen.value) && !isSample(leadgen)) return false
    try {
      const lead = isSample(leadgen) ? null : toLead(leadgen, key.settings, clock.now())
      if (lead === null || lead.isTest) {
        await store.endTest(key.id, leadgen.leadgenId, clock.now())
        return true
      }
      await store.takeLeadgen(key.id, { lead, told: leadgen }, clock.now())
      onTaken()
      return true
    } catch (error) {
      if (!(error instanceof PortalError)) throw error
      log.warn('meta.unreadable', { keyId: key.id, leadgenId: leadgen.leadgenId, ...errorFields(error) })
      return false
    }
  }

  async function metaKey(context: Context): Promise<Key> {
    const key = await store.keyById(context.req.param('key') ?? '', clock.now())
    if (key?.kind !== 'meta')
      throw new PortalError('intake.unknown-key', 'Este endereço de captação não existe.', { status: 404 })
    return key
  }

  return routes
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** The key sent more leads than allowed in a minute. */
export const tooMany = (context: Context, waitSeconds: number) =>
  context.json(
    {
      error: {
        code: 'intake.too-many',
        message: 'Leads demais em um minuto para esta chave. Envie de novo em instantes.',
      },
    },
    429,
    { 'retry-after': String(waitSeconds), 'cache-control': 'no-store' },
  )
