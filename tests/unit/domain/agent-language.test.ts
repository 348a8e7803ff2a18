// The languages in which an assistant may answer, and the reasons of refusals.
import { expect, test } from 'vitest'
import { judgeReply } from '#domain/agent/reply.ts'

const FACTS = [
  { label: 'Preço', value: '3 quartos a partir de R$ 598.000', isPrice: true },
  { label: 'Entrega', value: 'março de 2028', isPrice: false },
]
const lead = (leadLines: string[], text: string) => judgeReply(text, { facts: FACTS, visit: null, leadLines })

test.each([
  ['Tem vaga?', "I'm sorry, but I can't assist with that request."],
  ['oi', 'I am unable to help with this. Please contact us.'],
  ['Quanto custa?', 'Lo siento, no puedo ayudar con eso, pero gracias.'],
  ['Quanto custa?', '抱歉，我无法回答。'],
  ['Quanto custa?', 'A entrega é em março de 2028. 您想看房吗？'],
  ['Hello, how much is the apartment?', 'Começam em R$ 598 mil. Você procura para morar?'],
])('%s: an answer in another language is refused: %s', (asked, text) => {
  expect(lead([asked], text)?.fault).toBe('language')
})

test.each([
  ['Tem vaga?', 'Temos duas vagas. É para morar?'],
  ['ok', 'Sim, temos o home office e o rooftop com open space.'],
  ['Hello, how much is the apartment?', 'The apartments start at R$ 598.000. Is it for you to live in?'],
  [
    'Hola, ¿cuánto cuesta el departamento?',
    'Los departamentos de 3 quartos empiezan en R$ 598.000. ¿Es para usted?',
  ],
  ['Tem vaga?', 'Ok!'],
])("%s: an answer in the lead's language is sent: %s", (asked, text) => {
  expect(lead([asked], text)).toBe(null)
})

test.each([
  'I have reserved unit 304 for you.',
  'Your visit is confirmed for Saturday.',
  'We can offer you a discount.',
  'It is the last unit.',
])("a promise in the lead's language is recognised, too: %s", (text) => {
  expect(lead(['Hello, how much is the apartment?'], text)?.fault).toBe('promise')
})

test.each([
  ['Fica R$ 389 mil à vista.', 'R$ 389.000'],
  ['Já reservei a unidade para você.', '“reservei”'],
  ['É a última unidade.', '“ultima unidade”'],
  ['Veja em https://exemplo.test/oferta.', 'https://exemplo.test/oferta'],
  ['Chame o (11) 9.5550.0187.', '(11) 9.5550.0187'],
])('a refusal names what was missing: %s', (text, missing) => {
  expect(judgeReply(text, { facts: FACTS, visit: null })?.missing).toBe(missing)
})
