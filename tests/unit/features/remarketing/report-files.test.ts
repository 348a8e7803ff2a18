// The report's tables as files.
import { expect, it } from 'vitest'
import type { Campaign } from '#domain/campaign.ts'
import { fileName, historyCsv, summaryCsv } from '#features/remarketing/report/report-files.ts'

const outcomes = { delivered: 3, read: 2, answered: 1, optedOut: 1, failed: 1, unknown: 0, waiting: 0 }
const campaign: Campaign = {
  id: 7,
  instanceName: 'corretor_camila',
  stageSlug: 'antigo',
  stageName: null,
  status: 'stopped',
  pauseReason: null,
  createdAtMs: Date.parse('2026-11-14T19:20:00Z'),
  recipientCount: 6,
  sentCount: 4,
  message: '=Oi; {nome}',
  outcomes,
}
const linesOf = (csv: string) => csv.slice(1).trimEnd().split('\r\n')

it('has one row per campaign, messages protected from formulas, and the slug of a deleted stage', () => {
  expect(linesOf(historyCsv([campaign]))).toEqual([
    'Data;Corretor;Kanban;Status;Enviadas;Contatos;Entregues;Lidas;Respostas em 72 h;Pediram para sair;Mensagem',
    `14/11/2026, 16:20;Camila;antigo;Parada;4;6;3;2;1;1;"'=Oi; {nome}"`,
  ])
})

it('has the rate with one decimal in Portuguese notation', () => {
  const stats = {
    brokerId: 'x',
    instanceName: 'corretor_camila',
    campaignCount: 1,
    recipientCount: 6,
    sentCount: 4,
  }
  expect(linesOf(summaryCsv([{ ...stats, outcomes }]))[1]).toBe('Camila;1;6;4;66,7;3;2;1;1')
})

it("is named by its part and the day in the portal's zone", () => {
  expect(fileName('resumo', Date.parse('2026-11-22T01:00:00Z'))).toBe('remarketing-resumo-2026-11-21.csv')
})
