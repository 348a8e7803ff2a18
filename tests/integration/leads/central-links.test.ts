// Links to a central number: the code in the first message names the rotation or source.
import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, expect, test } from 'vitest'
import { centralText } from '#domain/phone/central-link.ts'
import { makeBroker, makeContact, makeMessage } from '#tests/support/make.ts'
import { openOffice } from '#tests/support/office.ts'
import { makeSeatedRotation, nextNumber } from '#tests/support/rotation.ts'

const { db, ana, asAdmin, close } = await openOffice({ isStill: true })
afterAll(close)
const central = await makeBroker(db, { central_since: '2020-01-01' })
afterEach(() =>
  db.exec(
    'delete from public.whatsapp_contacts; delete from portal.intake_keys; delete from public.roletas; delete from portal.people',
  ),
)

/** A new person writes to the central number; returns how the lead came in. */
async function write(body: string) {
  const contact = await makeContact(db, central.instanceName, { number: nextNumber(), source: 'whatsapp' })
  await makeMessage(db, contact.id, { type: 'incoming', body, instanceName: central.instanceName })
  const { rows } = await db.query(
    `select i.development, i.source, i.campaign, k.name as key, r.empreendimento as rotation
     from portal.lead_intakes i
     left join portal.intake_keys k on k.id = i.key_id
     left join portal.roleta_cases c on c.id = i.case_id
     left join public.roletas r on r.id = c.roleta_id
     where i.contact_id = $1`,
    [contact.id],
  )
  return rows[0]
}

async function makeSource(settings: object = {}) {
  const made = { operationId: randomUUID(), kind: 'form', name: 'Placa da obra', settings }
  expect((await asAdmin.call('/api/leads/keys', made)).status).toBe(200)
  const { keys } = (await asAdmin.call('/api/leads/keys')).body as { keys: { id: string; code: string }[] }
  return keys[0]!
}

test('a rotation’s link leads to that rotation, and a source’s link is counted for the source', async () => {
  const mirante = await makeSeatedRotation(db, [ana], { text_code: 'MIRANTE' })
  const serra = await makeSeatedRotation(db, [ana])
  const { code } = await makeSource({ source: 'placa', campaign: 'Lançamento', development: serra.name })
  expect(await write(centralText(mirante.name, 'MIRANTE'))).toEqual({
    development: mirante.name, source: 'whatsapp', campaign: null, key: null, rotation: mirante.name,
  }) // prettier-ignore
  expect(await write(centralText(serra.name, code))).toEqual({
    development: serra.name, source: 'placa', campaign: 'Lançamento', key: 'Placa da obra', rotation: serra.name,
  }) // prettier-ignore
  // With both codes in one text, the rotation gives the destination and the source the origin.
  expect(await write(`${code} mirante`)).toMatchObject({ key: 'Placa da obra', rotation: mirante.name })
  const { keys } = (await asAdmin.call('/api/leads/keys')).body as { keys: { leads: number }[] }
  expect(keys[0]?.leads).toBe(2)
})

test('a source without its own origin is named; a revoked one, or a message without a code, adds nothing', async () => {
  const { id, code } = await makeSource()
  expect(await write(centralText(null, code))).toMatchObject({
    source: 'Placa da obra',
    key: 'Placa da obra',
  })
  await asAdmin.call(`/api/leads/keys/${id}/revoke`, {})
  expect(await write(centralText(null, code))).toMatchObject({ source: 'whatsapp', key: null })
  expect(await write('Olá! Quero saber mais.')).toMatchObject({ source: 'whatsapp', key: null })
})
