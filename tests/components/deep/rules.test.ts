// The rules of a broker's seat and of a rotation: each explains its effect before it is saved.
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { ADMIN, openApp } from '#tests/support/components/app.tsx'
import { adminPortal } from '#tests/support/components/admin-portal.ts'
import { expectAccessible } from '#tests/support/components/axe.ts'
import { onDesk } from '#tests/support/components/device.ts'

const details = page.getByRole('dialog', { name: 'Detalhes da Roleta' })
const rules = page.getByRole('dialog', { name: 'Regras de' })

async function open() {
  await onDesk()
  await openApp(
    '/roleta',
    adminPortal({
      'GET /api/brokers': () => [],
      'GET /api/teams': () => ({ teams: [], others: [], managers: [] }),
      'GET /rest/v1/kanban_stages': () => [],
      'POST /rest/v1/rpc/listar_roletas_com_corretores': () => [
        {
          id: 1,
          empreendimento: 'Mirante do Lago',
          ativa: true,
          total_corretores: 1,
          created_at: '2026-11-01T12:00:00Z',
        },
      ],
      'GET /api/roleta/open': () => ({ cases: [] }),
      'GET /api/roleta/inbox': () => ({ inbox: [] }),
      'GET /api/roleta/1/shares': () => ({ shares: [] }),
      'GET /api/roleta/1': () => ({
        id: 1,
        name: 'Mirante do Lago',
        isActive: true,
        version: '1',
        settings: {
          needsAcceptance: true,
          acceptMinutes: 5,
          answerMinutes: null,
          targetMinutes: null,
          maxHops: 3,
          textCode: null,
        },
        seats: [
          {
            instanceName: 'corretor_camila',
            weight: 2,
            shifts: [{ days: [1, 2, 3, 4, 5], from: 1_320, to: 360 }],
            dailyCap: 10,
            isActive: true,
          },
        ],
        leadsReceived: { corretor_camila: 7 },
      }),
    }),
    ADMIN,
  )
  await page.getByRole('button', { name: 'Abrir a roleta Mirante do Lago' }).click()
}

test('a linha do corretor diz o que as regras dele têm de próprio', async () => {
  await open()
  await expect.element(details).toHaveTextContent('7 leads · peso 2 · até 10 por dia · seg a sex 22h–6h')
})

test('cada regra do lugar diz o que faz, e quando vale', async () => {
  await open()
  await details.getByRole('button', { name: /^Regras de/ }).click()
  for (const sentence of [
    'Desativado, guarda o lugar na fila sem receber.',
    'Com peso 2, recebe o dobro de quem tem peso 1.',
    'Passa da meia-noite e termina no dia seguinte.',
    'Vale quando você salvar a roleta.',
  ])
    await expect.element(rules).toHaveTextContent(sentence)
  await expectAccessible()
})

test('as regras da distribuição dizem o que acontece com o lead', async () => {
  await open()
  await details.getByText('Distribuição', { exact: true }).first().click()
  for (const sentence of [
    'Se passar ou não aceitar a tempo, o lead vai ao próximo.',
    'Depois disso, qualquer corretor da roleta pode pegar o lead.',
    'Quem escreve ao número central com este código no texto entra nesta roleta.',
  ])
    await expect.element(details).toHaveTextContent(sentence)
})
