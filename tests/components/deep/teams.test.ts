// Equipes: brokers move between teams by menu and by keys (by mouse: tests/e2e/deep/teams); and who leads them.
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { ADMIN, openApp } from '#tests/support/components/app.tsx'
import { adminPortal } from '#tests/support/components/admin-portal.ts'
import { expectAccessibleInBoth } from '#tests/support/components/axe.ts'
import { onDesk } from '#tests/support/components/device.ts'

const broker = (name: string, leads: number, isLinked = true) => ({
  id: `id-${name}`,
  instanceName: `corretor_${name}`,
  isLinked,
  leads,
})
const PRISCILA = { id: broker('priscila', 0).id, username: 'priscila', isBroker: true, hasPassword: true }
const LEANDRO = {
  id: '00000000-0000-4000-8000-00000000aaaa',
  username: 'leandro',
  isBroker: false,
  hasPassword: true,
}
const LAGO = {
  id: '10000000-0000-4000-8000-000000000001',
  name: 'Lago',
  managers: [PRISCILA],
  brokers: [broker('camila', 312), broker('eduardo', 241, false), broker('priscila', 20)],
}
const SERRA = {
  id: '10000000-0000-4000-8000-000000000002',
  name: 'Serra',
  managers: [LEANDRO],
  brokers: [broker('tatiane', 154)],
}
const LIST = {
  teams: [LAGO, SERRA],
  others: [broker('marcelo', 176), broker('bruno', 1)],
  managers: [LEANDRO],
}

async function open(list: object = LIST) {
  await onDesk()
  const portal = adminPortal({ 'GET /rest/v1/kanban_stages': () => [], 'GET /api/teams': () => list })
  await openApp('/equipes', portal, ADMIN)
  await expect.element(page.getByRole('heading', { name: 'Equipes', level: 1 })).toBeVisible()
  return portal
}
const team = (name: string) => page.getByRole('region', { name, exact: true })
const marcelo = broker('marcelo', 176)
/** The teams that the broker is moved to. */
function watchMoves(portal: Awaited<ReturnType<typeof open>>) {
  const moves: unknown[] = []
  portal.on(`POST /api/teams/brokers/${marcelo.id}/move`, ({ body }) => {
    moves.push(body['team'])
    return { instanceName: marcelo.instanceName, from: null, to: body['team'] }
  })
  return moves
}

test('sem equipes a tela diz para que servem, e cria a primeira', async () => {
  const portal = await open({ teams: [], others: [marcelo], managers: [] })
  await expect.element(page.getByText('Nenhuma equipe')).toBeVisible()
  await expect.element(page.getByText('Com equipes, cada gerente vê só os corretores dele.')).toBeVisible()
  portal.on('POST /api/teams', () => ({ id: LAGO.id, name: 'Lago' }))
  portal.on('GET /api/teams', () => ({
    teams: [{ ...LAGO, managers: [], brokers: [] }],
    others: [marcelo],
    managers: [],
  }))
  await page.getByRole('button', { name: 'Nova equipe' }).click()
  await page.getByLabelText('Nome da equipe').fill('Lago')
  await page.getByRole('button', { name: 'Criar equipe' }).click()
  await expect.element(team('Lago').getByText('Sem gerente')).toBeVisible()
})

test('cada equipe mostra gerente, corretores e leads, e é acessível', async () => {
  await open()
  await expect.element(team('Lago').getByText('3 corretores · 573 leads')).toBeVisible()
  await expect.element(team('Lago').getByText('Gerente · também atende')).toBeVisible()
  await expect.element(team('Serra').getByText('Gerente · só gerencia')).toBeVisible()
  // The gerente is shown once, above the list.
  expect(team('Lago').getByText('Priscila').elements()).toHaveLength(1)
  await expect.element(team('Sem equipe').getByText('Só o administrador vê quem está aqui.')).toBeVisible()
  await expect.element(team('Sem equipe').getByText('1 lead', { exact: true })).toBeVisible()
  await expectAccessibleInBoth()
})

test('pelo menu um corretor vai para outra equipe, e Desfazer o traz de volta', async () => {
  const portal = await open()
  const moves = watchMoves(portal)
  await page.getByRole('button', { name: 'Mais opções de Marcelo' }).click()
  await expect.element(page.getByText('Mover Marcelo para')).toBeVisible()
  portal.on('GET /api/teams', () => ({
    ...LIST,
    teams: [LAGO, { ...SERRA, brokers: [...SERRA.brokers, marcelo] }],
    others: [broker('bruno', 1)],
  }))
  await page.getByRole('menuitem', { name: 'Serra' }).click()
  await expect.element(team('Serra').getByText('Marcelo')).toBeVisible()
  await expect.element(page.getByText('Marcelo foi para Serra').first()).toBeVisible()
  await page.getByRole('button', { name: 'Desfazer' }).click()
  await expect.poll(() => moves).toEqual([SERRA.id, null])
})

test('pelo teclado: espaço pega, setas escolhem a equipe, espaço solta, Esc cancela', async () => {
  const portal = await open()
  const moves = watchMoves(portal)
  const handle = page.getByRole('button', { name: 'Mover Marcelo de equipe' })
  await expect.element(handle).toBeVisible()
  ;(handle.element() as HTMLElement).focus()
  await userEvent.keyboard(' ')
  await userEvent.keyboard('{ArrowLeft}')
  await expect.element(page.getByText('Soltar: Marcelo entra em Serra')).toBeVisible()
  await userEvent.keyboard('{ArrowLeft}')
  await expect.element(page.getByText('Soltar: Marcelo entra em Lago')).toBeVisible()
  await userEvent.keyboard('{Escape}')
  expect(page.getByText(/^Soltar:/).elements()).toEqual([])
  await userEvent.keyboard(' {ArrowUp} ')
  await expect.poll(() => moves).toEqual([SERRA.id])
})

test('o gerente se troca por um corretor, por ninguém, ou por alguém novo, que recebe um convite', async () => {
  const portal = await open()
  const changes: unknown[] = []
  portal.on(`POST /api/teams/${SERRA.id}/manager`, ({ body: { from, to } }) => {
    changes.push({ from, to })
    return { id: SERRA.id, from, to }
  })
  portal.on(`POST /api/teams/${SERRA.id}/managers`, () => ({ id: 'x', username: 'nova', invite: 'segredo' }))
  const change = async () => page.getByRole('button', { name: 'Trocar Leandro' }).click()
  await change()
  await page.getByRole('button', { name: /^Tatiane/ }).click()
  await expect.element(page.getByText('Tatiane é gerente de Serra')).toBeVisible()
  await change()
  await page.getByRole('button', { name: 'Sem gerente' }).click()
  await expect.element(page.getByText('Serra ficou sem gerente')).toBeVisible()
  await change()
  await page.getByRole('button', { name: /^Novo gerente/ }).click()
  await page.getByLabelText('Usuário').fill('nova')
  await page.getByRole('button', { name: 'Adicionar gerente' }).click()
  await expect.element(page.getByText('Link de primeiro acesso')).toBeVisible()
  await expect
    .poll(() => changes)
    .toEqual([
      { from: LEANDRO.id, to: SERRA.brokers[0]?.id },
      { from: LEANDRO.id, to: null },
      { from: LEANDRO.id, to: null },
    ])
})

test('excluir uma equipe pergunta antes e diz para onde vão os corretores', async () => {
  const portal = await open()
  portal.on(`POST /api/teams/${LAGO.id}/remove`, () => ({ name: 'Lago', brokers: 3 }))
  await page.getByRole('button', { name: 'Mais opções da equipe Lago' }).click()
  await page.getByRole('menuitem', { name: 'Excluir equipe' }).click()
  await expect.element(page.getByText(/3 corretores vão para Sem equipe/)).toBeVisible()
  await page.getByRole('button', { name: 'Excluir equipe' }).click()
  await expect.element(page.getByText('Equipe Lago excluída')).toBeVisible()
})
