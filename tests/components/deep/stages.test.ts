// The administrator's list of stages: their colours, and how many leads a deletion moves.
import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { ADMIN, openApp } from '#tests/support/components/app.tsx'
import { adminPortal } from '#tests/support/components/admin-portal.ts'
import { onDesk } from '#tests/support/components/device.ts'

const COUNT = 'POST /rest/v1/rpc/count_leads_of_figure'
const REMOVE = 'POST /rest/v1/rpc/remove_stage'
const question = page.getByRole('dialog', { name: 'Tem certeza que deseja excluir este estágio?' })

function openStages(leads: number) {
  const network = adminPortal({
    'GET /rest/v1/kanban_stages': () => [
      { id: 1, name: 'Novos Contatos', slug: 'new', order_index: 1, kind: 'open', hue: 'new' },
      { id: 6, name: 'Proposta', slug: 'proposta', order_index: 2, kind: 'open', hue: 'contacted' },
    ],
    [COUNT]: () => leads,
    [REMOVE]: () => ({ success: true, code: 'done', message: null }),
  })
  return openApp('/crm?vista=estagios', network, ADMIN).then(() => network)
}

const remove = () => page.getByRole('button', { name: 'Excluir Proposta' }).click()

beforeEach(() => onDesk())

test('cada estágio está na cor que o portal lhe deu', async () => {
  await openStages(0)
  await expect.element(page.getByText('Proposta')).toBeVisible()
  const hues = [...document.querySelectorAll('li [data-hue]')].map((dot) => dot.getAttribute('data-hue'))
  expect(hues).toEqual(['new', 'contacted'])
})

test.each([
  [1_234, 'São 1.234 contatos.'],
  [1, 'É 1 contato.'],
  [0, 'Agora não há nenhum.'],
])('excluir um estágio com %s contatos diz quantos são movidos', async (leads, sentence) => {
  const network = await openStages(leads)
  await remove()
  await expect.element(question).toHaveTextContent('serão movidos para "Novos Contatos".')
  await expect.element(question).toHaveTextContent(sentence)
  expect(network.bodiesOf(COUNT)).toEqual([{ p_figure: 'status', p_value: 'proposta' }])
  await question.getByRole('button', { name: 'Excluir' }).click()
  await expect.poll(() => network.bodiesOf(REMOVE)).toMatchObject([{ p_id: 6 }])
})
