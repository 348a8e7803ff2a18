// Which texts are sent automatically by a machine, and which need no answer.
import { describe, expect, test } from 'vitest'
import {
  isAllAutomatic,
  isRepeating,
  looksAutomatic,
  mayStayUnanswered,
  type SaidLine,
} from '#domain/agent/automatic.ts'

const lead = (text: string, kind = 'text'): SaidLine => ({ by: 'lead', kind, text })
const agent = (text = 'É para morar?'): SaidLine => ({ by: 'agent', kind: 'text', text })

test.each([
  'Olá! Agradecemos sua mensagem. Não estamos disponíveis no momento, mas responderemos assim que possível.',
  'Olá! Agradecemos seu contato. Como podemos ajudar?',
  'Obrigada por entrar em contato com a Clínica Sol! Em que posso ajudar?',
  'Seja bem-vindo à Pizzaria do Zé! Como podemos te ajudar hoje?',
  'Esta é uma mensagem automática, não responda a esta mensagem.',
  'Resposta automática: estou em férias até segunda.',
  'Oi! Sou a Lia, a assistente virtual da Clínica Sol 🤖',
  'Sou o assistente da equipe do Horizonte. Você procura para morar?',
  'Nosso horário de atendimento é de segunda a sexta, das 8h às 18h.',
  'Você está fora do horário de atendimento.',
  'Digite 1 para vendas, 2 para suporte',
  'Escolha uma das opções abaixo:',
  'Seu protocolo: 20261128001',
  'Recebemos sua mensagem! Nossa equipe vai responder.',
  'Retornaremos o seu contato o mais breve possível',
  'This is an automated reply. I am out of office.',
])('a machine wrote: %s', (text) => {
  expect(looksAutomatic(text)).toBe(true)
})

test.each([
  'Oi, vi o anúncio do Mirante. Quanto custa?',
  'Obrigado pelo contato, mas já comprei',
  'Agradecemos seu contato, mas não temos mais interesse',
  'Obrigada pela mensagem! Vou ver com meu marido',
  'Você é um robô? Quero falar com atendente',
  'É atendimento automático? Tem alguém aí?',
  'Sou a assistente do Dr. João, ele quer visitar',
  'Em breve retorno com a resposta',
  'Qual o horário de atendimento do plantão?',
  'Assim que possível eu mando os documentos',
  'Respondo em breve, estou no trânsito',
  'Meu número é 11 98765-4321',
  'Prefiro a opção 2',
  'Como posso agendar uma visita?',
  'Sou corretor parceiro, posso te ajudar a vender?',
])('a person wrote: %s', (text) => {
  expect(looksAutomatic(text)).toBe(false)
})

describe('the same text again and again', () => {
  const NOTICE = 'Loja Sol informa: pedido recebido, acompanhe pelo site da loja, pedido 10203'
  test('three times, with answers between, or with another number in it', () => {
    const twice = [lead(NOTICE), agent(), lead(NOTICE.replace('10203', '99817')), agent()]
    expect(isRepeating(twice)).toBe(false)
    expect(isRepeating([...twice, lead(`${NOTICE}!`)])).toBe(true)
    expect(isRepeating([...twice, lead('E a vaga?')])).toBe(false)
    expect(
      isRepeating([lead('Oi tudo bem'), agent(), lead('oi, tudo bem'), agent(), lead('Oi! Tudo bem?')]),
    ).toBe(true)
  })
  test('nearly equal texts count, another question does not', () => {
    expect(
      isRepeating([
        lead('Pedido recebido pela loja, em separação no centro de entrega.'),
        agent(),
        lead('Pedido recebido pela loja; em separacao no centro de entregas'),
        agent(),
        lead('Pedido recebido pela nossa loja, em separação no centro de entrega'),
      ]),
    ).toBe(true)
    expect(
      isRepeating([
        lead('Tem de 2 quartos?'),
        agent(),
        lead('Tem de 3 suítes?'),
        agent(),
        lead('Tem com varanda?'),
      ]),
    ).toBe(false)
  })
  test('a person who says yes three times, or is impatient, is no machine', () => {
    for (const text of ['sim', 'Ok', 'não', '2', 'Pode ser', 'Sim, claro'])
      expect([text, isRepeating([lead(text), agent(), lead(text), agent(), lead(text)])]).toEqual([
        text,
        false,
      ])
    expect(isRepeating([lead('Oi?'), lead('Oi?'), lead('oi')])).toBe(false)
    expect(isRepeating([lead('', 'audio'), agent(), lead('', 'audio'), agent(), lead('', 'audio')])).toBe(
      false,
    )
  })
  test('another number in a short text makes it another text', () => {
    const offers = [450, 4500, 450_000].map((price) => lead(`E por ${price}?`))
    expect(isRepeating(offers.flatMap((line) => [line, agent()]).slice(0, -1))).toBe(false)
  })
  test('an answer by our staff restarts the count', () => {
    const human: SaidLine = { by: 'human', kind: 'text', text: 'Sou a Camila' }
    expect(isRepeating([lead(NOTICE), lead(NOTICE), human, lead(NOTICE)])).toBe(false)
  })
})

test('a greeting beside other text is ignored: the person is answered', () => {
  const greeting = lead('Agradecemos seu contato. Como podemos ajudar?')
  expect(isAllAutomatic([greeting])).toBe(true)
  expect(isAllAutomatic([lead('Quanto custa?'), greeting])).toBe(false)
  expect(isAllAutomatic([greeting, lead('', 'image')])).toBe(false)
  expect(isAllAutomatic([])).toBe(false)
})

test('a question, or a voice message without transcript, needs an answer', () => {
  for (const text of [
    'Obrigada!',
    '👍',
    'Seu código é 482913',
    'PIX recebido de Ana',
    'veja https://x.test/?a=1',
  ])
    expect([text, mayStayUnanswered([lead(text)])]).toEqual([text, true])
  expect(mayStayUnanswered([lead('Agradecemos seu contato. Como podemos ajudar?')])).toBe(true)
  expect(mayStayUnanswered([lead('Obrigada!'), lead('E a vaga?')])).toBe(false)
  expect(mayStayUnanswered([lead('', 'audio')])).toBe(false)
  expect(mayStayUnanswered([lead('', 'sticker')])).toBe(true)
})
