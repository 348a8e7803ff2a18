// Messages when a campaign is controlled and responses are lost: its real end, and no false error.
import { expect, it } from 'vitest'
import type { Campaign } from '#domain/campaign.ts'
import { PortalError } from '#domain/errors.ts'
import { endOf } from '#features/remarketing/texts.ts'
import { currentToast, dismissToast } from '#ui/feedback/toast.ts'
import { toastFault } from '#features/remarketing/progress/use-steering.ts'
import { table } from '#tests/support/table.ts'

const NOTHING = { delivered: 0, read: 0, answered: 0, optedOut: 0, failed: 0, unknown: 0, waiting: 0 }
const campaign: Campaign = {
  id: 1,
  instanceName: 'corretor_camila',
  stageSlug: 'new',
  stageName: 'Novos Contatos',
  status: 'running',
  pauseReason: null,
  createdAtMs: 0,
  recipientCount: 40,
  sentCount: 12,
  message: 'Oi, {nome}!',
  outcomes: NOTHING,
}

table('%s: %o', (status: Campaign['status']) => endOf({ ...campaign, status }) as object | null, [
  ['completed', { words: 'Campanha concluída · 12 de 40 enviadas', tone: 'success' }],
  ['stopped', { words: 'Campanha parada · 12 de 40 enviadas', tone: 'info' }],
  ['error', { words: 'Erro na campanha · 12 de 40 enviadas', tone: 'error' }],
  ['running', null],
  ['paused', null],
  ['scheduled', null],
])

it('an end meanwhile is reported as such, anything else as an error', () => {
  const ended = new PortalError('campaign.ended', 'Esta campanha já terminou.', { status: 409 })
  expect(toastOf(ended)).toMatchObject({ text: 'Esta campanha já terminou.', tone: 'info' })
  const offline = new PortalError('network.offline', 'Sem conexão. Tente de novo quando a internet voltar.')
  expect(toastOf(offline)).toMatchObject({
    text: 'Erro: Sem conexão. Tente de novo quando a internet voltar.',
    tone: 'error',
  })
  expect(toastOf(new Error(''))).toMatchObject({
    text: 'Erro: não foi possível falar com o portal. Tente de novo.',
    tone: 'error',
  })
})

function toastOf(error: Error) {
  toastFault(error)
  const shown = currentToast()
  dismissToast()
  return shown
}
