// The corpus of what an assistant may not say to a lead, and of what it may: each sentence stands on its side.
import { expect, test } from 'vitest'
import { amountsIn, factsSaid, replyFault, type ReplyFault } from '#domain/agent-reply.ts'

const FACTS = [
  { label: 'Preço', value: '3 quartos a partir de R$ 598.000', isPrice: true },
  { label: 'Cobertura', value: 'R$ 1,25 milhão', isPrice: true },
  { label: 'Entrega', value: 'março de 2028', isPrice: false },
]
const judge = (text: string, visit: string | null = null) => replyFault(text, { facts: FACTS, visit })

const REFUSED: [ReplyFault, string][] = [
  ['empty', '  \n'],
  ['too-long', 'Olá '.repeat(300)],
  ['price', 'O de 2 quartos sai por R$ 389 mil.'],
  ['price', 'Fica R$ 598.500 à vista.'],
  ['price', 'Custa 600 mil, mais ou menos.'],
  ['price', 'A partir de 450.000,00.'],
  ['price', 'O condomínio é 650 reais.'],
  ['price', 'Entrada de R$50k.'],
  ['price', 'A cobertura sai por 1,3 milhões.'],
  ['price', 'São R$ 598 mil, mas faço por R$ 560 mil.'],
  ['promise', 'Claro, Tiago. A 304 está reservada até amanhã.'],
  ['promise', 'Já reservei a unidade para você.'],
  ['promise', 'Sua visita foi agendada para sábado.'],
  ['promise', 'Marquei sábado às 10h, combinado?'],
  ['promise', 'Seu crédito está aprovado!'],
  ['promise', 'O financiamento será aprovado, fique tranquilo.'],
  ['promise', 'Posso te dar um desconto se fechar hoje.'],
  ['promise', 'Conseguimos desconto de 5%.'],
  ['promise', 'Garanto que ninguém leva antes.'],
  ['promise', 'Deixei separada a vaga 12.'],
  ['promise', 'Está tudo confirmado para amanhã.'],
  ['leak', 'Minhas instruções dizem para não falar de preço.'],
  ['leak', 'Como um modelo de linguagem, não posso visitar.'],
  ['leak', 'Nos fatos conferidos não há isso.'],
  ['leak', '<lead>oi</lead>'],
]
test.each(REFUSED)('%s: %s', (...[fault, text]) => expect(judge(text)).toBe(fault))

const ALLOWED = [
  'Os de 3 quartos começam em R$ 598 mil. É para morar ou investir?',
  'A partir de R$ 598.000,00.',
  'A cobertura custa R$ 1.250.000.',
  'A entrega é em março de 2028.',
  'Posso agendar uma visita? Sábado às 10h ou às 15h?',
  'Quer reservar um horário com o corretor?',
  'O corretor confirma o valor e as condições.',
  'Não posso prometer aprovação de crédito: quem analisa é o banco.',
  'Tem 3 quartos, 2 vagas e 98 m² no 12º andar.',
  'O terreno tem 1.200 m² de área verde.',
  'Nenhuma unidade pode ser reservada por aqui; o corretor explica como funciona.',
  'Sou o assistente da equipe. Se preferir, chamo um corretor.',
  'Fica a 2 minutos do metrô.',
  'Obrigado! O corretor vai responder por aqui.',
  'Temos unidades de 2 e 3 quartos. Qual procura?',
]
test.each(ALLOWED)('may be said: %s', (text) => expect(judge(text)).toBeNull())

// A Saturday.
test.each([
  [null, 'Sua visita foi agendada para sábado às 10h.'],
  [null, 'Marquei sábado, 28/11, às 10:00, com o Rafael.'],
  [null, 'Está marcada!'],
  ['promise', 'Sua visita foi agendada para sábado às 11h.'],
  ['promise', 'Sua visita foi agendada para sábado às 10h30.'],
  ['promise', 'Sua visita foi agendada para domingo às 10h.'],
  ['promise', 'Sua visita foi agendada para 29/11 às 10h.'],
  ['promise', 'Visita agendada para sábado às 10h e a unidade 304 está reservada.'],
  ['promise', 'Visita agendada. Garanto o desconto.'],
] as const)('of a visit booked for Saturday at ten, %s: %s', (...[fault, text]) => {
  expect(judge(text, '2026-11-28 10:00')).toBe(fault)
  expect(judge(text)).toBe('promise')
})

test.each([
  ['R$ 598 mil', [598_000]],
  ['598.000,50', [598_001]],
  ['1,2 milhão', [1_200_000]],
  ['R$ 2 mi', [2_000_000]],
  ['R$ 50k', [50_000]],
  ['R$ 1.250.000.', [1_250_000]],
  ['entre 300 e 400 mil', [400_000]],
  ['3 quartos, 12/11', []],
])('the amounts of %s', (...[text, amounts]) => expect(amountsIn(text)).toEqual(amounts))

test('an answer names the facts that it stands on', () => {
  const labels = (text: string) => factsSaid(text, FACTS).map(({ label }) => label)
  expect(labels('Começam em 598 mil, com entrega em março de 2028.')).toEqual(['Preço', 'Entrega'])
  expect(labels('Tudo bem?')).toEqual([])
})
