// A quick reply's file is stored once when the reply is edited, then sent by id with its caption, also to many leads.
import { randomUUID } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { PDF, PNG } from '#tests/support/files.ts'
import { makeContact, makeQuickReply } from '#tests/support/make.ts'
import { openOffice } from '#tests/support/office.ts'
import { areSettled, untilMessages } from '#tests/support/sending.ts'

const PHONE = '5511955550101'
const { db, portal, ana, bia, asAna, asBia, asAdmin, close } = await openOffice()
afterAll(close)
await portal.through(asAna.call('/api/instance/connect', {}))
portal.control.scan({ instance: ana.instanceName, number: PHONE })
await portal.through(isOpen())

async function isOpen() {
  while ((await asAna.call('/api/instance?fresh=1')).body['number'] !== PHONE);
}

const pdf = { kind: 'document', fileName: 'tabela.pdf' }
function form(message: object, bytes: Uint8Array) {
  const body = new FormData()
  body.set('message', JSON.stringify(message))
  body.set('file', new Blob([new Uint8Array(bytes)]), 'upload')
  return body
}
const attach = (by: typeof asAna, id: string, message: object = pdf, bytes: Uint8Array = PDF) =>
  by.send(`/api/quick-replies/${id}/file`, form(message, bytes))
const mediaIdOf = ({ body }: { body: Record<string, unknown> }) =>
  (body['file'] as { content: { mediaId: string } }).content.mediaId
const storedFiles = async () => (await db.query('select from portal.media')).rows.length
const fileOf = async (id: string) =>
  (await db.query<{ file: object | null }>('select file from public.quick_replies where id = $1', [id]))
    .rows[0]?.file

test('the file of a shared reply goes to a lead with its caption, uploaded once for all', async () => {
  const { id } = await makeQuickReply(db, null, { body: 'Segue a tabela' })
  const attached = await attach(asAdmin, id)
  expect(attached.body).toMatchObject({
    file: { kind: 'document', content: { fileName: 'tabela.pdf', mimeType: 'application/pdf' } },
  })
  const stored = await storedFiles()
  const { id: contactId } = await makeContact(db, ana.instanceName)
  const wanted = {
    contactId,
    quickReplyId: id,
    mediaId: mediaIdOf(attached),
    text: 'Segue a tabela',
    operationId: randomUUID(),
  }
  const sent = await asAna.call('/api/messages/quick-reply', wanted)
  expect(sent.body['message']).toMatchObject({
    kind: 'document',
    body: 'Segue a tabela',
    delivery: 'queued',
    content: { fileName: 'tabela.pdf' },
  })
  expect((await asAna.call('/api/messages/quick-reply', wanted)).body['message'], 'a repeat').toMatchObject({
    id: (sent.body['message'] as { id: number }).id,
  })
  expect(await portal.through(untilMessages(db, contactId, areSettled))).toMatchObject([
    { body: 'Segue a tabela', delivery_reason: null },
  ])
  expect(await storedFiles()).toBe(stored)
  const { rows } = await db.query<{ is_used: boolean }>(
    `delete from public.whatsapp_messages where contact_id = $1
     returning portal.media_is_used(content ->> 'mediaId') as is_used`,
    [contactId],
  )
  expect(rows, 'the reply still needs it').toEqual([{ is_used: true }])
})

test('a file that was changed or removed since it was chosen is not sent, in clear words', async () => {
  const { id } = await makeQuickReply(db, ana.id)
  const mediaId = mediaIdOf(await attach(asAna, id))
  await attach(asAna, id, { kind: 'image', fileName: 'fachada.png' }, PNG)
  const { id: contactId } = await makeContact(db, ana.instanceName)
  const send = (more = {}) =>
    asAna.call('/api/messages/quick-reply', {
      contactId,
      quickReplyId: id,
      mediaId,
      text: '',
      operationId: randomUUID(),
      ...more,
    })
  const changed = {
    status: 409,
    body: { error: { message: 'O arquivo desta resposta rápida mudou. Escolha a resposta de novo.' } },
  }
  expect(await send()).toMatchObject(changed)
  expect(await send({ quickReplyId: randomUUID() })).toMatchObject(changed)
  expect((await asAna.send(`/api/quick-replies/${id}/file`, null, 'DELETE')).body).toEqual({ file: null })
  expect(await fileOf(id)).toBeNull()
  expect(await send()).toMatchObject(changed)
})

test('nobody writes or sends the file of a reply that is not theirs', async () => {
  const { id } = await makeQuickReply(db, ana.id)
  const mediaId = mediaIdOf(await attach(asAna, id))
  const stored = await storedFiles()
  const { id: shared } = await makeQuickReply(db, null)
  for (const [by, of] of [
    [asBia, id],
    [asAdmin, id],
    [asAna, shared],
  ] as const)
    expect((await attach(by, of, { kind: 'image', fileName: 'x.png' }, PNG)).status).toBe(404)
  expect(await storedFiles(), 'a refused file is not stored').toBe(stored)
  const { id: contactId } = await makeContact(db, bia.instanceName)
  const taken = { contactId, quickReplyId: id, mediaId, text: '', operationId: randomUUID() }
  expect((await asBia.call('/api/messages/quick-reply', taken)).status).toBe(409)
  const long = { p_id: id, p_title: 'Tabela', p_body: 'x'.repeat(1_025) }
  expect((await asAna.call('/rest/v1/rpc/save_quick_reply', long)).body).toEqual({
    success: false,
    message: 'Com um arquivo, o texto tem até 1.024 letras.',
  })
  await db.query('update public.quick_replies set body = $2 where id = $1', [shared, 'x'.repeat(1_025)])
  expect(await attach(asAdmin, shared)).toMatchObject({
    status: 422,
    body: { error: { message: 'Com um arquivo, o texto tem até 1.024 letras.' } },
  })
})
