// The corpus of what an assistant may not say to a lead, and of what it may: each sentence stands on its side.
import { expect, test } from 'vitest'
import { factsSaid, replyFault, type ReplyFault } from '#domain/agent/reply.ts'
import { amountsIn } from '#domain/agent/words.ts'

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
// The same, written so that figures and words are not seen at once.
REFUSED.push(
  ['price', 'Sai por quinhentos mil.'],
  ['price', 'Fica em quinhentos e cinquenta mil reais, à vista.'],
  ['price', 'Um milhão e duzentos mil, com duas vagas.'],
  ['price', 'Custa meio milhão.'],
  ['price', 'Sai por 500000.'],
  ['price', 'Sai por 500 000.'],
  ['price', 'R$ ５００ mil, com vaga.'],
  ['price', 'R$ ٥٠٠ mil, com vaga.'],
  ['price', 'R$ 𝟓𝟎𝟎 mil, com vaga.'],
  ['price', 'São 5\u200b00 mil.'],
  ['price', 'São *5*0*0* mil.'],
  ['price', 'São 5oo mil.'],
  ['price', 'São 500 m\u200bil.'],
  ['price', 'Por BRL 500, fechado.'],
  ['price', 'US$ 100 de sinal.'],
  ['price', 'Cem mil de entrada.'],
  ['price', 'De 300 a 598 mil.'],
  ['price', 'Entre 500 e 598 mil.'],
  ['price', 'Faço por 550 contos.'],
  ['price', 'São q u i n h e n t o s mil.'],
  ['price', 'Condomínio de mil reais.'],
  ['promise', 'Reservado para você!'],
  ['promise', 'Agendado, sábado às 10h.'],
  ['promise', 'R E S E R V A D O.'],
  ['promise', 'Está *reser*vada.'],
  ['promise', 'Está reser\u200bvada.'],
  ['promise', 'Está rеsеrvаda para você.'],
  ['promise', 'A unidade 304 reservada no seu nome.'],
  ['promise', 'Vou reservar para você.'],
  ['promise', 'Já deixei separadinha para você.'],
  ['promise', 'A cobertura será reservada hoje.'],
  ['promise', 'Reservamos a 304 para a sua família.'],
  ['promise', 'A 304 é sua.'],
  ['promise', 'O apartamento já é seu!'],
  ['promise', 'Fica no seu nome até segunda.'],
  ['promise', 'Tudo certo para sábado às 10h.'],
  ['promise', 'Combinado para amanhã.'],
  ['promise', 'Te espero sábado às 10h no estande.'],
  ['promise', 'Aprovamos seu crédito.'],
  ['promise', 'Seu crédito pré-aprovado espera por você.'],
  ['promise', 'Fechando hoje, 5% de desconto.'],
  ['promise', 'Entrada de 10% e o resto na entrega.'],
  ['promise', 'Dez por cento de entrada.'],
  ['promise', 'Em 60 vezes sem juros.'],
  ['promise', 'ITBI grátis nesta semana.'],
  ['address', 'Veja em https://exemplo.test/oferta?lead=Ana'],
  ['address', 'Cadastre-se em imoveis-promo.top/x'],
  ['address', 'Escreva para vendas@outra.com.br'],
  ['address', 'Pix do sinal: 11 95550-0187'],
  ['address', 'Chame o (11) 9.5550.0187.'],
)
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
  'Os de três quartos começam em quinhentos e noventa e oito mil.',
  'A cobertura sai por um milhão duzentos e cinquenta mil.',
  'Mil desculpas pela demora!',
  'Uma das unidades tem 98 m², no 10º andar.',
  'Qual é o seu orçamento? E o seu nome?',
  'Marcamos uma visita? Sábado ou domingo?',
  'Combinado, sábado às 10h fica bom?',
  'O condomínio é fechado e o bairro é seguro.',
  'O projeto segue 100% as normas.',
  'Não damos desconto por aqui; o corretor conversa com você.',
  'Até amanhã! Qualquer coisa, é só escrever.',
  'Fica na Av. Paulista, 1578, perto do metrô.',
  'Para ver ao vivo, prefere manhã ou tarde?',
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
  [null, 'Tudo certo para sábado às 10h, te espero sábado!'],
  ['promise', 'Te espero domingo às dez horas.'],
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
  ['entre 300 e 400 mil', [300_000, 400_000]],
  ['um milhão e duzentos mil', [1_200_000]],
  ['um milhão e meio', [1_500_000]],
  ['meio milhão', [500_000]],
  ['R$ mil reais', [1_000]],
  ['quinhentos e noventa e oito mil', [598_000]],
  ['3 quartos, 12/11', []],
])('the amounts of %s', (...[text, amounts]) => expect(amountsIn(text)).toEqual(amounts))

test('an answer names the facts that it stands on', () => {
  const labels = (text: string) => factsSaid(text, FACTS).map(({ label }) => label)
  expect(labels('Começam em 598 mil, com entrega em março de 2028.')).toEqual(['Preço', 'Entrega'])
  expect(labels('Tudo bem?')).toEqual([])
})

test('a link or a number is repeated from what it was told, and never made up', () => {
  const known = 'Site: https://mirante.exemplo/planta · (11) 95550-0187'
  const fault = (text: string) => replyFault(text, { facts: FACTS, visit: null, known })
  expect(fault('A planta está em https://mirante.exemplo/planta.')).toBeNull()
  expect(fault('Anotei: (11) 95550-0187.')).toBeNull()
  expect(fault('Anotei: (11) 95550-0188.')).toBe('address')
  expect(fault('A planta está em https://mirante.exemplo.evil.top/planta')).toBe('address')
})

test('terms and licences are said as a fact has them', () => {
  const facts = [
    ...FACTS,
    { label: 'Condições', value: 'entrada de 10%, sem juros até a entrega', isPrice: false },
    { label: 'Licença', value: 'CRECI 123456', isPrice: false },
  ]
  expect(replyFault('Entrada de 10% e sem juros. CRECI 123456.', { facts, visit: null })).toBeNull()
  expect(replyFault('Entrada de 5%.', { facts, visit: null })).toBe('promise')
})
