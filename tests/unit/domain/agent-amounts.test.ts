// Amounts of money as people write them, and figures that are none.
import { describe, expect, test } from 'vitest'
import { replyFault } from '#domain/agent/reply.ts'
import { amountsIn } from '#domain/agent/words.ts'

const judge = (text: string) => replyFault(text, { facts: [], visit: null })

/** In reais. */
const AMOUNTS: [string, number[]][] = [
  ['Sai por seiscentão.', [600]],
  ['Quinhentinhos por mês.', [500]],
  ['Uns trezentões.', [300]],
  ['600 pau', [600]],
  ['seiscentos paus', [600]],
  ['600 pila', [600]],
  ['600 mango', [600]],
  ['Cem barões.', [100]],
  ['seis centos mil', [600_000]],
  ['600 milzinhos', [600_000]],
  ['600 milão', [600_000]],
  ['Uns 600 e poucos mil.', [600_000]],
  ['seiscentos e tantos mil', [600_000]],
  ['seiscentos e cinquenta mil', [650_000]],
  ['meio milhão', [500_000]],
  ['meio mi', [500_000]],
  ['1,2 mi', [1_200_000]],
  ['1.2M', [1_200_000]],
  ['um mi e meio', [1_500_000]],
  ['um milhão e meio', [1_500_000]],
  ['dois e meio milhões', [2_500_000]],
  ['um milhão e duzentos', [1_200_000]],
  ['um milhão e duzentos mil', [1_200_000]],
  ['Condomínio de mil e duzentos.', [1_200]],
  ['mil e duzentos reais', [1_200]],
  ['dois mil e quinhentos reais', [2_500]],
  ['R$ 598 mil e quinhentos', [598_500]],
  ['duzentas mil pratas', [200_000]],
  ['seiscentos conto', [600]],
  ['580 mil apartamento de 3 quartos', [580_000]],
  ['A partir de 380.000 apartamentos de 2 quartos.', [380_000]],
  ['R$ 598 mil e 3 quartos', [598_000]],
  ['598 mil, com 120 metros', [598_000]],
  ['450 mil', [450_000]],
  ['450k', [450_000]],
  ['milhão e meio', [1_500_000]],
  // Without the currency, and without the thousands.
  ['Sai por 4,5.', [5]],
  ['Sai por quatro e meio.', [5]],
  ['Custa 1,2.', [1]],
  ['Fica em 4,5, à vista.', [5]],
  ['Quatrocentos e poucos.', [400]],
  ['450 m i l', [450_000]],
  ['O de 2 quartos é 450.', [450]],
  ['Os de 2 estão quatrocentos e cinquenta.', [450]],
  ['Está 450.', [450]],
  ['450, com vaga.', [450]],
  ['Gira em torno de 450.', [450]],
  ['Por volta de 450, à vista.', [450]],
  ['Inicia em 450.', [450]],
  ['Partindo de 450.', [450]],
  ['O preço gira em torno de 450.', [450]],
  ['O preço dele é 450.', [450]],
  ['O valor do apartamento é 450.', [450]],
  ['O valor do 2 quartos é 450.', [450]],
  ['O valor à vista é 450.', [450]],
  ['O ticket é 450.', [450]],
  ['Com 45 de entrada você entra.', [45]],
  ['45 de sinal.', [45]],
  ['Mensais de 900.', [900]],
  ['9500/m²', [9_500]],
  ['Entre 500 e 600.', [600]],
  ['Temos abaixo de 500.', [500]],
  ['Vai sair 430.', [430]],
  ['Vai custar uns 430.', [430]],
  ['Ficaria 430.', [430]],
  ['Peço 430.', [430]],
  ['Ele aceita 430.', [430]],
  ['Chego a 430.', [430]],
  ['Fechamos em 430.', [430]],
  ['Abaixa pra 430.', [430]],
  ['Está avaliado em 430.', [430]],
  ['430 é o preço.', [430]],
  ['450 à vista', [450]],
  ['450 no pix', [450]],
]
test.each(AMOUNTS)('%s', (text, amounts) => expect(amountsIn(text)).toEqual(amounts))

const PRICED = AMOUNTS.map(([text]) => text)
test.each(PRICED)('no price is stated without a fact: %s', (text) => expect(judge(text)).toBe('price'))

describe('a percentage of a deal', () => {
  test.each([
    'A obra está em 45% de entrada.',
    'Durante a obra você paga 30%.',
    'Na obra são 30% e o resto na entrega.',
    '45% pagos até a entrega.',
    'Financia 80% da obra.',
    '10% de desconto na obra.',
    '100% financiado, obra pronta.',
    'Rende 12% com a obra pronta.',
    'A obra está 45% concluída e você paga só 20%.',
  ])('%s', (text) => expect(judge(text)).toBe('promise'))
})

describe('harmless', () => {
  test.each([
    // Construction progress, and shares of the ground.
    'A obra está 45% concluída.',
    'A obra está quarenta e cinco por cento concluída.',
    'A obra está em 45%.',
    'As obras já estão em 62,5%.',
    'As obras chegaram a 80%.',
    'A fundação está 100% pronta.',
    '45% da obra já está pronta.',
    'Já temos 45% da estrutura executada.',
    'A construção passou de 70%.',
    'Estamos com 45% de avanço na torre A.',
    '30% do terreno é área verde.',
    '60% de área verde preservada.',
    // Areas and distances.
    'O terreno tem 1.200 m.',
    'São 12 mil m² de lazer.',
    'São doze mil metros quadrados de mata.',
    'Um parque de 12.500.000 m².',
    'Terreno de 25.000 m2.',
    'Fica a 1.200 m do metrô.',
    'Fica a mil e duzentos metros do metrô.',
    'O parque tem 3 mil árvores.',
    'A represa tem 20.000 hectares.',
    // People, homes, floors.
    'O bairro tem 200 mil habitantes.',
    'São 10 mil famílias atendidas.',
    'A construtora tem 3.000 unidades entregues.',
    'Fica no 25º andar, de um total de 32.',
    'Apartamento 1204, torre 2.',
    // Dates, years, telephones.
    'A entrega é em dois mil e vinte e oito.',
    'Entrega em março de dois mil e vinte e oito.',
    'Entrega em 28/11/2028.',
    'Fundada em 1998, há 28 anos.',
    'A entrega é no 2º semestre de 2028.',
    'O plantão abre às 9h30 do dia 28/11.',
    // House numbers, heights, brands and hours in the place of a price.
    'Fica na Av. Brasil, 450.',
    'Sai pela Rua Augusta, 450.',
    'O ônibus 450 para na porta.',
    'O apartamento 304 é à vista do parque.',
    'A unidade é a 304.',
    'As unidades vão de 101 a 108.',
    'Pé-direito de 4,5 m.',
    'A sala tem 4,5 x 3,2.',
    'A 4,5 km do shopping.',
    'Vale 4,5 estrelas no site.',
    'São cerca de 450 lojas no shopping.',
    'Chega a 450 metros da praia.',
    'Vale lembrar que são 2 vagas.',
    'O ônibus sai às 10h.',
    'A partir do 4º andar.',
    'Entre 45 e 70 m².',
    'Você procura algo até 500?',
    'O valor do apartamento o corretor confirma em 2 horas.',
    'A entrega fica em torno de 2028.',
  ])('%s', (text) => expect(judge(text)).toBeNull())
  test('phone numbers that a fact contains', () => {
    const facts = [{ label: 'Telefone', value: '(11) 3555-0100 e 11 95550-0187', isPrice: false }]
    for (const text of ['Ligue (11) 3555-0100.', 'Chame no 11 95550-0187.', 'É o 1135550100.'])
      expect(replyFault(text, { facts, visit: null })).toBeNull()
  })
})
