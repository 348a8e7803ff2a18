// Routes that read the store, hidden ids and files.
import type { Context, Hono } from 'hono'
import { findById } from '../mailbox.ts'
import type { Instance, Json, Message } from '../state.ts'
import { isJson } from '../wire/errors.ts'
import { refusal } from './refusal.ts'
import { bareId, cusOf, jidOf, messageOf } from './shapes.ts'
import type { Wire } from './handler.ts'

const LIMIT = 10

export function storeRoutes(app: Hono, { simulated, files, usedOf }: Wire) {
  const stored = (context: Context) => {
    const instance = usedOf(context.req.param('name'))
    const config = instance.settings['config']
    const noweb = isJson(config) && isJson(config['noweb']) ? config['noweb'] : {}
    if (!isJson(noweb['store']) || noweb['store']['enabled'] !== true)
      throw refusal(400, 'Enable NOWEB store "config.noweb.store.enabled=True"')
    return instance
  }
  const shown = (
    instance: Instance,
    message: Message,
    { downloadMedia = 'true' }: Record<string, string>,
  ): Json => {
    const media = downloadMedia === 'true' ? files.download(instance, message) : null
    return messageOf({ message, isStored: true, media })
  }
  app.get('/api/:name/chats/:chat/messages', (context) => {
    const instance = stored(context)
    const query = context.req.query()
    const { limit = LIMIT, offset = 0 } = query
    const rows = rowsOf(instance, context.req.param('chat'), query)
    const page = rows.slice(Number(offset), Number(offset) + Number(limit))
    // Reactions are left out after they were counted.
    const messages = page.filter(({ messageType }) => messageType !== 'reactionMessage')
    return context.json(messages.map((message) => shown(instance, message, query)))
  })
  app.get('/api/:name/chats/:chat/messages/:id', (context) => {
    const instance = stored(context)
    const message = findById(instance, bareId(context.req.param('id')))
    if (!message?.content) throw refusal(404, 'Message not found')
    return context.json(shown(instance, message, context.req.query()))
  })
  app.get('/api/:name/lids/:lid', (context) => {
    stored(context)
    const lid = context.req.param('lid')
    if (/@(?!lid$)/.test(lid)) throw refusal(422, 'Invalid LID - it must end with @lid')
    const digits = simulated.numbers.ofLid(lid.replace('@lid', ''))
    return context.json({
      lid,
      pn: digits === undefined ? null : cusOf(simulated.numbers.resolve(digits).jid),
    })
  })
  app.get('/api/files/:name/:file', (context) => {
    const file = files.find(context.req.path)
    if (file === null) throw refusal(404, `ENOENT: no such file or directory, stat '/data/files/index.html'`)
    return new Response(new Uint8Array(file.bytes), { headers: { 'content-type': file.mimetype } })
  })
}

/** Newest first, without revoked messages. A chat has the messages of both addresses of its person. */
function rowsOf(instance: Instance, chat: string, query: Record<string, string>): Message[] {
  const jid = chat === 'all' ? null : jidOf(chat)
  const [from, to] = ['gte', 'lte'].map((end) => query[`filter.timestamp.${end}`])
  return instance.messages
    .filter(({ content }) => content !== null)
    .filter(({ key }) => jid === null || key.remoteJid === jid || key['remoteJidAlt'] === jid)
    .filter(
      ({ sentAtSeconds }) => sentAtSeconds >= Number(from ?? 0) && sentAtSeconds <= Number(to ?? Infinity),
    )
    .toReversed()
    .toSorted((one, other) => other.sentAtSeconds - one.sentAtSeconds)
}
