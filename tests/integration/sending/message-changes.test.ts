// Edits and deletions for all: within WhatsApp's times, sent once through the message's own number; until the gateway
// accepted one the message keeps what the lead sees, and a refusal is told.
import { randomUUID } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import type { Claims } from '#server/db/as-user.ts'
import { makeContact, makeMessage } from '#tests/support/make.ts'
import { callAs } from '#tests/support/scheduled.ts'
import { openSending, queueText, untilHeld } from '#tests/support/sending.ts'

const { base, ana, asAna, asBia, open } = await openSending()
let { phone, sender } = open()
beforeEach(() => void ({ phone, sender } = open()))

const JID = '5511970000000@s.whatsapp.net'
const nowSeconds = () => Math.floor(Date.now() / 1000)

/** A text of the broker's that the lead has. */
async function line({ agoSeconds = 60, kind = 'text', author = 'human' } = {}) {
  const { id: contactId } = await makeContact(base.db, ana.instanceName)
  const { id } = await makeMessage(base.db, contactId, {
    instanceName: ana.instanceName,
    message_id: `M${contactId}`,
    remoteJid: JID,
    type: 'outgoing',
    delivery: 'delivered',
    body: 'Visita às 10h',
    timestamp: nowSeconds() - agoSeconds,
    kind,
    author,
  })
  return { contactId, id }
}

type Line = Awaited<ReturnType<typeof line>>
type Answer = { success: boolean; code: string; message: string | null }
type By = { claims?: Claims; operation?: string }

const edit = ({ contactId, id }: Line, text: string, { claims = asAna, operation = randomUUID() }: By = {}) =>
  callAs<Answer>(base.db, claims, 'message_edit', {
    p_contact_id: contactId,
    p_message_id: id,
    p_text: text,
    p_operation_id: operation,
  })

const remove = ({ contactId, id }: Line, { claims = asAna, operation = randomUUID() }: By = {}) =>
  callAs<Answer>(base.db, claims, 'message_delete', {
    p_contact_id: contactId,
    p_message_id: id,
    p_operation_id: operation,
  })

type Shown = {
  body: string
  kind: string
  is_edited: boolean
  change: { kind: string; state: string; reason?: string; body?: string } | null
}

async function shown({ id }: Line): Promise<Shown | undefined> {
  const { rows } = await base.db.query<Shown>(
    `select body, kind, edited_at is not null as is_edited, change - 'operationId' as change
     from public.whatsapp_messages where id = $1`,
    [id],
  )
  return rows[0]
}

async function untilSettled(on: Line): Promise<Shown | undefined> {
  for (;;) {
    const now = await shown(on)
    if (now?.change?.state !== 'queued') return now
    await new Promise((resolve) => setImmediate(resolve))
  }
}

const wake = () => sender.wake(ana.instanceName)

test('an edit is sent once, and shown as done only when the gateway has it', async () => {
  const on = await line()
  const operation = randomUUID()
  expect(await edit(on, ' Visita às 11h ', { operation })).toMatchObject({ success: true, code: 'saved' })
  expect(await edit(on, 'Visita às 11h', { operation })).toMatchObject({ code: 'saved' })
  expect(await shown(on)).toEqual({
    body: 'Visita às 10h',
    kind: 'text',
    is_edited: false,
    change: { kind: 'edit', state: 'queued', body: 'Visita às 11h' },
  })
  wake()
  expect(await untilSettled(on)).toEqual({
    body: 'Visita às 11h',
    kind: 'text',
    is_edited: true,
    change: null,
  })
  expect(phone.sent).toEqual([
    {
      instanceName: ana.instanceName,
      number: JID,
      text: 'edição Visita às 11h',
      quotedId: `M${on.contactId}`,
    },
  ])
  expect(await edit(on, 'Visita às 11h')).toMatchObject({ code: 'already' })
  const { rows } = await base.db.query<{ body: string }>(
    'select last_message_body as body from public.whatsapp_contacts where id = $1',
    [on.contactId],
  )
  expect(rows).toEqual([{ body: 'Visita às 11h' }])
})

test('a deletion leaves before texts that wait, and keeps no word', async () => {
  const on = await line()
  await queueText(base.db, asAna, { contactId: on.contactId, body: 'Depois' })
  expect(await remove(on)).toMatchObject({ success: true, code: 'saved' })
  expect(await remove(on)).toMatchObject({ code: 'already' })
  expect(await edit(on, 'Ainda')).toMatchObject({ success: false, code: 'gone' })
  wake()
  expect(await untilSettled(on)).toEqual({ body: '', kind: 'deleted', is_edited: false, change: null })
  await phone.begun(2)
  expect(phone.texts()).toEqual(['apaga', 'Depois'])
  expect(await remove(on)).toMatchObject({ success: true, code: 'already' })
})

test('many edits at once delay a waiting text by one of them', async () => {
  const lines = [await line(), await line(), await line(), await line()]
  for (const [at, on] of lines.entries()) await edit(on, `Correção ${at}`)
  await queueText(base.db, asAna, { contactId: lines[0]!.contactId, body: 'Resposta' })
  await queueText(base.db, asAna, { contactId: lines[0]!.contactId, body: 'E mais' })
  wake()
  await phone.begun(6)
  expect(phone.texts()).toEqual([
    'edição Correção 0',
    'Resposta',
    'edição Correção 1',
    'E mais',
    'edição Correção 2',
    'edição Correção 3',
  ])
})

test("one changed during the first one's send is sent after it", async () => {
  const on = await line()
  phone.byHand()
  await edit(on, 'Um')
  wake()
  await phone.begun(1)
  await edit(on, 'Dois')
  phone.answerNext()
  await phone.begun(2)
  expect(await shown(on)).toMatchObject({ body: 'Um', change: { body: 'Dois' } })
  phone.answerNext('refused')
  expect(await untilSettled(on), 'what the lead sees').toMatchObject({
    body: 'Um',
    change: { kind: 'edit', state: 'refused', reason: 'refused' },
  })
})

test('what the gateway refuses or does not confirm changes nothing and is told; a report settles it', async () => {
  const on = await line()
  phone.plan('refused', 'unknown-outcome')
  await remove(on)
  wake()
  expect(await untilSettled(on)).toMatchObject({
    body: 'Visita às 10h',
    kind: 'text',
    change: { kind: 'delete', state: 'refused', reason: 'refused' },
  })
  await edit(on, 'Visita às 11h')
  wake()
  expect(await untilSettled(on)).toMatchObject({
    body: 'Visita às 10h',
    change: { state: 'unknown', reason: 'no-answer' },
  })
  await base.db.query('select portal.apply_event($1, $2::jsonb)', [
    ana.instanceName,
    JSON.stringify({
      event: 'edit',
      messageId: `M${on.contactId}`,
      body: 'Visita às 11h',
      atMs: Date.now(),
      jid: JID,
    }),
  ])
  expect(await shown(on)).toMatchObject({ body: 'Visita às 11h', is_edited: true, change: null })
})

test('a gateway without the call refuses the change, and the next text leaves', async () => {
  const on = await line()
  phone.plan('unsupported')
  await edit(on, 'Visita às 11h')
  wake()
  expect(await untilSettled(on)).toMatchObject({
    body: 'Visita às 10h',
    change: { kind: 'edit', state: 'refused', reason: 'refused' },
  })
  await queueText(base.db, asAna, { contactId: on.contactId, body: 'Depois' })
  wake()
  await phone.begun(2)
  expect(phone.texts().at(-1)).toBe('Depois')
})

test('waits without a link; once its time has passed it is refused, never sent', async () => {
  const on = await line()
  phone.plan('not-linked')
  await edit(on, 'Visita às 11h')
  wake()
  await phone.begun(1)
  await untilHeld(base.db)
  await base.db.query('update public.whatsapp_messages set "timestamp" = "timestamp" - 900 where id = $1', [
    on.id,
  ])
  await sender.resume(ana.instanceName)
  expect(await untilSettled(on)).toMatchObject({
    body: 'Visita às 10h',
    change: { state: 'refused', reason: 'too-late' },
  })
  expect(phone.texts()).toEqual(['edição Visita às 11h'])
})

test("WhatsApp's times: an edit within 15 minutes, a deletion within two days", async () => {
  const quarter = 15 * 60
  expect(await edit(await line({ agoSeconds: quarter - 30 }), 'Novo')).toMatchObject({ code: 'saved' })
  expect(await edit(await line({ agoSeconds: quarter + 1 }), 'Novo')).toEqual({
    success: false,
    code: 'too_late',
    message:
      'O WhatsApp só deixa editar até 15 minutos depois do envio. O contato continua vendo o texto de antes.',
  })
  expect(await remove(await line({ agoSeconds: 2 * 86_400 - 30 }))).toMatchObject({ code: 'saved' })
  expect(await remove(await line({ agoSeconds: 2 * 86_400 + 1 }))).toEqual({
    success: false,
    code: 'too_late',
    message:
      'O WhatsApp só deixa apagar para todos até 2 dias depois do envio. O contato continua vendo a mensagem.',
  })
})

test('only a message that was sent, a person’s text to edit, and only its broker', async () => {
  const on = await line()
  expect(await edit(on, 'x', { claims: asBia })).toMatchObject({ success: false, code: 'unknown_lead' })
  expect(await remove(on, { claims: asBia })).toMatchObject({ success: false, code: 'unknown_lead' })
  const gone = { success: false, code: 'gone', message: 'Não dá mais para editar esta mensagem.' }
  const agents = await line({ author: 'agent' })
  expect(await edit(agents, 'x')).toEqual(gone)
  expect(await remove(agents)).toMatchObject({ code: 'saved' })
  expect(await edit(await line({ kind: 'document' }), 'x')).toEqual(gone)
  expect(await edit({ ...on, id: (await line()).id }, 'x'), 'another lead’s message').toEqual(gone)
  expect(await remove(await line({ kind: 'document' }))).toMatchObject({ code: 'saved' })
  expect(await remove(await line({ kind: 'call' }))).toMatchObject({ code: 'gone' })
  const { contactId, id } = await line()
  await base.db.query(
    `update public.whatsapp_messages set type = 'incoming', delivery = null where id = $1`,
    [id],
  )
  expect(await remove({ contactId, id }), 'the lead’s own words').toMatchObject({ code: 'gone' })
  const waiting = await queueText(base.db, asAna, { contactId: on.contactId, body: 'Na fila' })
  expect(await edit({ ...on, id: waiting.id }, 'x'), 'not sent yet').toEqual(gone)
  await expect(edit(on, '  ')).rejects.toThrow('Escreva uma mensagem.')
  await expect(edit(on, 'x'.repeat(10_001))).rejects.toThrow('A mensagem passa de 10.000 caracteres.')
  expect(await shown(on)).toMatchObject({ body: 'Visita às 10h', change: null })
})
