// kill -9 after an event was sent to Meta and before the answer: the next start does not send it again, and a person
// decides. The token is set through the portal, and personal data leave it only as hashes.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ENGINES, openFolderOn } from '#tests/support/data-folder.ts'
import { eventually } from '#tests/support/eventually.ts'
import { openLoopback } from '#tests/support/loopback.ts'
import { makeContact } from '#tests/support/make.ts'
import { ADMIN_PASSWORD, call, signIn, type RunningPortal } from '#tests/support/portal.ts'

const TOKEN = 'EAAB-the-token-of-the-agency'
const PATIENCE_MS = 60_000

const meta = await openLoopback()
afterAll(() => meta.close())

describe.each(ENGINES)('%s', (engine) => {
  let folder: Awaited<ReturnType<typeof openFolderOn>>
  let portal: RunningPortal
  let token = ''
  let leadId = 0
  const bodies: string[] = []
  const tokens = new Set<string | undefined>()

  const start = async () => {
    portal = await folder.start({ META_GRAPH_URL: `${meta.url}/v0` })
    token = await signIn(portal.origin, 'admin@admin.local', ADMIN_PASSWORD)
  }
  const rpc = async <T>(name: string, body: object): Promise<T> => {
    const answer = await call<T>(`${portal.origin}/rest/v1/rpc/${name}`, { token, body })
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
    return answer.body
  }
  const log = () => rpc<{ id: number; state: string; fault: string | null }[]>('get_conversions', {})

  beforeAll(async () => {
    folder = await openFolderOn(engine, 'conversions', async (db) => {
      leadId = (await makeContact(db, null, { name: 'Zuleica Raríssima', number: '5511955500142' })).id
    })
    await start()
  }, PATIENCE_MS)
  afterAll(() => folder.close())

  test('a killed portal leaves an unsure event, which goes again only by a person', async () => {
    let isSilent = true
    meta.answer = (request, response) => {
      tokens.add(request.headers.authorization)
      let body = ''
      request.setEncoding('utf8').on('data', (part: string) => (body += part))
      request.on('end', () => {
        bodies.push(body)
        if (!isSilent) response.end('{"events_received":1}')
      })
    }
    const saved = await call(`${portal.origin}/api/conversions/token`, {
      token,
      body: { target: 'crm', token: TOKEN },
    })
    expect([saved.status, saved.body]).toEqual([200, { tokenTail: 'ency' }])
    const names = { qualified: '', visit: '', sale: 'Venda' }
    const target = {
      p_target: 'crm',
      p_is_on: true,
      p_dataset: '123',
      p_waba: '',
      p_names: names,
      p_stage: null,
    }
    await rpc('set_conversion_target', target)
    await rpc('atualizar_status_lead', { p_contact_id: leadId, p_novo_status: 'fechado' })
    await eventually(() => Promise.resolve(expect(bodies).toHaveLength(1)), PATIENCE_MS)
    const killed = await portal.process.kill('SIGKILL')
    // The dead process still holds the lease. A minute later it has expired, and the event is unsure.
    const db = await folder.open()
    await db.exec(
      `update portal.conversions set leased_until = now() - interval '1 second' where leased_until is not null`,
    )
    await db.close()
    isSilent = false
    await start()
    const [unsure] = await eventually(async () => {
      const rows = await log()
      expect(rows).toMatchObject([{ state: 'unsure', fault: 'lost' }])
      return rows
    }, PATIENCE_MS)
    expect(bodies).toHaveLength(1)
    await rpc('decide_conversion', { p_id: unsure!.id, p_decision: 'again' })
    await eventually(
      async () => expect(await log()).toMatchObject([{ state: 'sent', fault: null }]),
      PATIENCE_MS,
    )
    expect(bodies).toEqual([bodies[0], bodies[0]])
    expect([...tokens]).toEqual([`Bearer ${TOKEN}`])
    const ended = await portal.process.kill('SIGTERM')
    const written = [killed, ended].map(({ output, errors }) => output + errors).join('') + bodies.join('')
    for (const plain of [TOKEN, 'Zuleica', '95550', '955500142']) expect(written).not.toContain(plain)
  })
})
