// Promises that a broker may make and an assistant may not, in a broker's words; and the same words without a promise.
import { describe, expect, test } from 'vitest'
import { replyFault } from '#domain/agent/reply.ts'
import { startCpuTimer } from '#tests/support/cpu-time.ts'

const FACTS = [
  { label: 'Vaga', value: '2 vagas inclusas', isPrice: false },
  { label: 'Pagamento', value: 'aceita permuta', isPrice: false },
]
const judge = (text: string, facts = [] as typeof FACTS, visit: string | null = null) =>
  replyFault(text, { facts, visit })

describe('a promise', () => {
  test.each([
    // Money, scarcity and deadlines.
    'Deposite na conta 12345-6, agência 0001.',
    'Pode transferir o sinal para a conta da construtora.',
    'Últimas duas unidades!',
    'Só restam 2 unidades.',
    'Proposta aprovada pela diretoria.',
    'Sua proposta foi aprovada.',
    'Contrato assinado, tudo certo.',
    'Parabéns pela compra!',
    'Parabéns, você conseguiu o apartamento!',
    'O desconto é automático.',
    'Com 15 de desconto.',
    // Done, or in progress.
    'Fica reservado pra você.',
    'Já agendei.',
    'Tá marcado.',
    'Estou reservando a 304 pra você.',
    'Tô segurando pra você.',
    'Agendando sua visita para sábado.',
    'Acabei de reservar.',
    'Acabei de marcar sua visita.',
    'Consegui reservar pra você.',
    'Consegui um horário sábado às 10h.',
    'Confirmo sua visita.',
    'O corretor te espera amanhã.',
    'O corretor te encontra lá às 10h.',
    'O corretor vai estar lá às 10h.',
    'Te coloquei na fila.',
    'Tá na agenda.',
    'Seguro até sexta.',
    'Ele te liga em 5 minutos.',
    // Ownership.
    'É seu!',
    'O apê é seu.',
    'Pode confiar, é seu.',
    'Parabéns, é sua!',
    'Ninguém mais pega.',
    'Não deixo ninguém levar.',
    'Tirei de venda pra você.',
    'Você tem prioridade.',
    // Discounts and gifts.
    'Consegui um desconto.',
    'Consegui com a construtora um desconto.',
    'Consegui baixar o preço.',
    'O gerente liberou um desconto.',
    'Temos desconto à vista.',
    'Tem um desconto para você.',
    'Rola um descontinho.',
    'Dá pra fazer um desconto.',
    'Faço um descontinho.',
    'Um descontão.',
    'Está em promoção.',
    'Preço promocional.',
    'Condições facilitadas.',
    'Oferta válida até sexta.',
    'Cubro a proposta.',
    'Está incluso.',
    'ITBI incluso.',
    'Os móveis estão inclusos.',
    'Escritura paga.',
    'A construtora paga o ITBI.',
    'Damos os armários.',
    'De presente uma vaga.',
    'Vaga extra sem custo.',
    // Payment terms.
    'Entrada zero.',
    'Parcelamos a entrada.',
    'Não precisa de entrada.',
    'Não precisa comprovar renda.',
    'Nome sujo, sem problema.',
    'Financiamento direto com a construtora.',
    'Juros baixos.',
    'Juros de 0,99.',
    'O menor preço da região.',
    'Parcelas fixas.',
    'Sem reajuste.',
    'Congelamos as parcelas.',
    'Aceitamos seu carro.',
    'Aceita permuta.',
    'Devolvemos o sinal.',
    // Bank approval, keys, the future.
    'Aprovado!',
    'A Caixa aprova.',
    'Aprova na hora.',
    'Seu crédito sai fácil.',
    'Já está tudo certo com o banco.',
    'Não vai atrasar.',
    'Entregamos no prazo.',
    'Risco zero.',
    'Não tem risco.',
    'Vai dobrar de valor.',
    'Retorno certo.',
    'Garanto que vale a pena.',
    'Dou minha palavra.',
    'Juro que não sobe.',
  ])('%s', (text) => expect(judge(text)).toBe('promise'))
})

describe('no promise', () => {
  test.each([
    'Sobre desconto, quem fala é o corretor.',
    'Vou perguntar ao corretor se há desconto.',
    'O corretor vai ver se consegue um desconto.',
    'Não temos informação de desconto.',
    'O corretor confirma se a vaga está inclusa.',
    'Sobre o que está incluso, o corretor confirma.',
    'Wi-Fi incluso? O corretor confirma.',
    'Sobre permuta, o corretor avalia.',
    'Você quer dar seu carro na troca?',
    'Você já tem crédito aprovado?',
    'Seu financiamento já foi aprovado pelo banco?',
    'Já tem visita marcada?',
    'Você já agendou com alguém?',
    'Se já estiver agendado, me avise.',
    'Visitas são agendadas com o corretor.',
    'A reserva é feita com o corretor.',
    'Estou confirmando o horário com o corretor.',
    'Confirmo o horário com o corretor e te aviso.',
    'Um bairro reservado.',
    'Um condomínio reservado e tranquilo.',
    'A fachada foi aprovada.',
    'O projeto foi aprovado na prefeitura.',
    'O bairro é seguro até tarde.',
    'O Rafael é seu corretor.',
    'A visita não tem custo nem compromisso.',
    'A visita é sem custo.',
    'O sinal de celular é bom.',
    'Quem aprova é o banco.',
    'O banco é quem aprova o crédito.',
    'Pode usar o FGTS na entrada.',
    'Você pretende financiar?',
    'O corretor te chama por aqui.',
    'Em breve o corretor responde.',
    'Fica em 5 minutos do metrô.',
    'Parabéns pela nova fase!',
    'Fechou! Vou passar para o corretor.',
    'Domingo abrimos às 9h.',
    'Com a proposta aprovada, o corretor explica o contrato.',
    'Depois do contrato assinado vem o registro.',
    'Você conseguiu o financiamento?',
    'Parabéns pelo bebê!',
    'Vale a pena levar em conta o bairro.',
  ])('%s', (text) => expect(judge(text)).toBeNull())

  test("a fact's content may be stated", () => {
    expect(judge('São 2 vagas inclusas.', FACTS)).toBeNull()
    expect(judge('Aceita permuta.', FACTS)).toBeNull()
    expect(judge('O ITBI está incluso.', FACTS)).toBe('promise')
  })

  test('about a visit that was just booked', () => {
    const text = 'Acabei de agendar sua visita para sábado às 10h.'
    expect(judge(text, [], '2026-11-28 10:00')).toBeNull()
    expect(judge(text, [], '2026-11-28 11:00')).toBe('promise')
    expect(judge(text)).toBe('promise')
  })
})

// A slow check would delay every answer.
test('the longest answer is checked quickly, whatever its text', () => {
  for (const part of [
    'se ',
    'nao ',
    'valor ',
    'de 500 a ',
    '1,',
    'consegui ',
    'reservado ser ',
    'a b c ',
    'o corretor vai ',
  ])
    expectQuick(part.repeat(Math.floor(1_000 / part.length)))
})

function expectQuick(text: string) {
  const cpuMs = startCpuTimer()
  judge(text)
  expect(cpuMs()).toBeLessThan(2_000)
}
