// The user in a token.
import { expect, it } from 'vitest'
import { toSessionUser } from '#domain/session.ts'

it('recognises a broker by the instance', () => {
  const app_metadata = {
    portal_role: 'broker',
    username: 'camila',
    instance_id: 'i1',
    instance_name: 'corretor_camila',
  }
  expect(toSessionUser({ sub: 'u1', app_metadata })).toEqual({
    id: 'u1',
    username: 'camila',
    role: 'broker',
    instanceId: 'i1',
    instanceName: 'corretor_camila',
    hasWhatsAppSession: false,
  })
})

it('recognises an administrator', () => {
  const app_metadata = { portal_role: 'admin', username: 'admin', instance_name: null }
  expect(toSessionUser({ sub: 'a1', app_metadata })).toEqual({ id: 'a1', username: 'admin', role: 'admin' })
})

it.each([
  { portal_role: 'service', username: 'robo', instance_name: 'corretor_camila' },
  { portal_role: 'broker', username: 'camila', instance_name: null },
  { portal_role: 'broker', username: 'camila' },
])('has no screens for %o', (app_metadata) => {
  expect(toSessionUser({ sub: 'x', app_metadata })).toBeNull()
})
