// One lead's conversation as a PDF: only administrators get it, the same conversation gives the same bytes, and the
// audit log records it. Private and erased contacts have none.
import { createHash, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { auditSentence, type AuditEntry } from '#domain/audit.ts'
import { makeContact, makeManager, makeMessage, makeTeam } from '#tests/support/make.ts'
import { openOffice } from '#tests/support/office.ts'
import { isDeepRun } from '#tests/support/runner/tier.ts'
import type { Calls } from '#tests/support/whatsapp.ts'

let office: Awaited<ReturnType<typeof openOffice>>
let contactId: number
let asManager: Calls
beforeAll(async () => {
  office = await openOffice({ isStill: true })
  const { db, portal, ana, bia } = office
  contactId = (await makeContact(db, ana.instanceName)).id
  for (const body of ['Bom dia! Ainda há a cobertura? 😀', 'Há, sim. Quer visitar no sábado?'])
    await makeMessage(db, contactId, { body, type: body.startsWith('Há') ? 'outgoing' : 'incoming' })
  // The gerente of Ana's own team.
  const manager = await makeManager(db, await makeTeam(db, { brokers: [ana, bia] }))
  await portal.setPassword(manager.username)
  asManager = await portal.enter(`${manager.username}@admin.local`)
})
afterAll(() => office.close())

const ask = (who: Calls, lead: number) =>
  who.request('/api/people/conversation', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ contactId: lead }),
  })
const codeOf = async (answer: Response) => [
  answer.status,
  ((await answer.json()) as { error: { code: string } }).error.code,
]
const saved = async () => {
  const { body } = await office.asAdmin.call('/api/audit')
  return (body['entries'] as AuditEntry[]).filter(({ action }) => action === 'conversation.saved')
}

test('an administrator gets a PDF, twice the same bytes, and the audit log holds their hash', async () => {
  const answer = await ask(office.asAdmin, contactId)
  expect([answer.status, answer.headers.get('content-type'), answer.headers.get('cache-control')]).toEqual([
    200,
    'application/pdf',
    'no-store',
  ])
  expect(answer.headers.get('content-disposition')).toContain(`conversa-lead-${contactId}.pdf`)
  const bytes = Buffer.from(await answer.arrayBuffer())
  expect(bytes.subarray(0, 5).toString()).toBe('%PDF-')
  const again = Buffer.from(await (await ask(office.asAdmin, contactId)).arrayBuffer())
  expect(again.equals(bytes)).toBe(true)

  const entries = await saved()
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  expect(entries.map(({ details }) => details)).toEqual([
    expect.objectContaining({ lead: contactId, messages: 2, sha256 }),
    expect.objectContaining({ sha256 }),
  ])
  expect(entries.map(auditSentence)[0]).toMatch(
    new RegExp(
      `^Baixou a conversa do lead nº ${contactId} de número final \\d\\d: 2 mensagens, SHA-256 ${sha256}$`,
    ),
  )
})

test.runIf(isDeepRun)('another message gives other bytes', async () => {
  const before = Buffer.from(await (await ask(office.asAdmin, contactId)).arrayBuffer())
  await makeMessage(office.db, contactId, { body: 'Sábado às dez.' })
  const after = Buffer.from(await (await ask(office.asAdmin, contactId)).arrayBuffer())
  expect(after.equals(before)).toBe(false)
})

test('the broker who has the lead, another broker, their gerente and a stranger are refused', async () => {
  const { asAna, asBia, portal } = office
  const count = (await saved()).length
  for (const who of [asAna, asBia, asManager])
    expect(await codeOf(await ask(who, contactId))).toEqual([403, 'access.denied'])
  const stranger = await portal.request('/api/people/conversation', { method: 'POST', body: '{}' })
  expect(stranger.status).toBe(401)
  expect(await saved()).toHaveLength(count)
})

test('nobody’s lead, a lead without messages and half a request get no file and no entry', async () => {
  const { db, asAdmin, ana } = office
  const count = (await saved()).length
  const silent = await makeContact(db, ana.instanceName)
  expect(await codeOf(await ask(asAdmin, 987_654_321))).toEqual([404, 'lead.unknown'])
  expect(await codeOf(await ask(asAdmin, silent.id))).toEqual([404, 'proof.empty'])
  expect(await codeOf(await ask(asAdmin, 1.5))).toEqual([422, 'request.invalid'])
  expect(await saved()).toHaveLength(count)
})

test('a contact that is particular or erased gets no file', async () => {
  const { db, ana, asAna, asAdmin } = office
  const [aunt, gone] = [await makeContact(db, ana.instanceName), await makeContact(db, ana.instanceName)]
  for (const { id } of [aunt, gone]) await makeMessage(db, id)
  const marked = await asAna.call('/rest/v1/rpc/lead_private', {
    p_contact_id: aunt.id,
    p_operation_id: randomUUID(),
  })
  expect(marked.body).toMatchObject({ code: 'saved' })
  await asAdmin.call('/api/people/erase', { contactId: gone.id, operationId: randomUUID() })
  for (const { id } of [aunt, gone])
    expect(await codeOf(await ask(asAdmin, id))).toEqual([404, 'lead.unknown'])
})

test('one account has one file written at a time', async () => {
  const { asAdmin, portal, db } = office
  await db.query('delete from portal.throttle')
  const answers = await Promise.all(
    Array.from({ length: 2 * portal.portals.length }, () => ask(asAdmin, contactId)),
  )
  // Each portal has its own limit.
  expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
    ...portal.portals.map(() => 200),
    ...portal.portals.map(() => 409),
  ])
  expect((await ask(asAdmin, contactId)).status).toBe(200)
})
