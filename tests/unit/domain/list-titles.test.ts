// Column titles of CRMs, phones, portals and offices: the meaning of each column, and the name and phone of each row.
import { describe, expect, it, test } from 'vitest'
import { guessColumns, rowReader } from '#domain/lead/list/columns.ts'
import { findHeader, toLeadList } from '#domain/lead/list/sheet.ts'
import { readTitle } from '#domain/lead/list/titles.ts'

/** Each row as it would be imported. */
function rowsOf(lines: readonly (readonly string[])[]) {
  const header = findHeader(lines)
  const list = toLeadList(lines, header)
  const read = rowReader(list.titles, guessColumns(list, header !== null))
  return list.rows.map(({ cells }) => read(cells))
}

describe('a title', () => {
  it.each([
    ['Nome completo', 'name'], ['NOME DO CLIENTE *', 'name'], ['nomedocliente', 'name'], ['full_name', 'name'],
    ['Pessoa - Nome', 'name'], ['Contato principal', 'name'], ['Interessado', 'name'], ['Qual é o seu nome?', 'name'],
    ['Sobrenome', 'surname'], ['Last Name', 'surname'], ['Middle Name', 'surname'],
    ['Telefone/WhatsApp', 'phone'], ['FonePrincipal', 'phone'], ['Pessoa - Telefone - Celular', 'phone'], ['Phone 1 - Value', 'phone'],
    ['Telefone comercial (contato)', 'phone'], ['phone_number', 'phone'], ['Cel.', 'phone'], ['Qual o seu whatsapp?', 'phone'],
    ['DDD', 'areaCode'], ['Código de área', 'areaCode'],
    ['E-mail do cliente', 'email'], ['E-mail 1 - Value', 'email'], ['Endereço de Email', 'email'], ['Email comercial (contato)', 'email'],
    ['Empreendimento', 'development'], ['Imóvel de interesse', 'development'], ['Nome do imóvel', 'development'],
    ['Origem do lead', 'source'], ['Origem da primeira conversão', 'source'], ['Portal', 'source'], ['utm_source', 'source'],
    ['campaign_name', 'campaign'], ['Campanha', 'campaign'],
    ['Etapa do lead', 'stage'], ['Estágio no funil', 'stage'], ['Lead Status', 'stage'],
    ['Corretor', 'broker'], ['Usuário responsável', 'broker'], ['Proprietário do contato', 'broker'], ['Deal owner', 'broker'],
    ['Valor', 'value'], ['Valor do negócio', 'value'], ['Orçamento', 'value'], ['Deal Value', 'value'],
    ['Tags', 'tags'], ['Etiquetas do contato', 'tags'], ['Labels', 'tags'],
    ['Data de criação', 'arrivedAt'], ['Data de cadastro', 'arrivedAt'], ['Criado em', 'arrivedAt'], ['Create Date', 'arrivedAt'],
    ['Último contato', 'lastContactAt'], ['Data da última atividade', 'lastContactAt'], ['Last Activity Date', 'lastContactAt'],
    ['Obs.', 'note'], ['Nota 2', 'note'], ['Mensagem', 'note'], ['Notes', 'note'],
  ])('%j is %s', (title, kind) => expect(readTitle(title)?.kind).toBe(kind)) // prettier-ignore

  it.each([
    'Título do lead', 'Nome do negócio', 'Deal Name', 'Nome da empresa', 'Organization Name', 'form_name', 'ad_name', 'Nickname',
    'E-mail do corretor', 'Telefone do responsável', 'Proprietário da empresa', 'Criado por', 'Data',
    'Phone 1 - Label', 'E-mail 1 - Type', 'E-mail Display Name', 'Business Fax', 'Name Prefix', 'Assistant’s Phone', 'Lead ID', 'Valor do condomínio',
  ])('%j has no meaning for the lead', (title) => expect(readTitle(title)).toBeNull()) // prettier-ignore
})

describe('an export', () => {
  test("of deals gives the person's name, never the deal's", () => {
    expect(
      rowsOf([
        ['Nome', 'Funil de vendas', 'Etapa', 'Contatos', 'Email', 'Telefone'],
        ['Apto dois dorm', 'Padrão', 'Proposta', 'Fábia Dias', 'fabia@example.com', '11 95555-0101'],
      ]),
    ).toEqual([{ name: 'Fábia Dias', email: 'fabia@example.com', phone: '11 95555-0101', stage: 'Proposta' }])
    expect(
      rowsOf([
        ['Nome', 'Motivo de perda', 'Telefone'],
        ['Casa grande', '', '11 95555-0102'],
      ]),
    ).toEqual([{ phone: '11 95555-0102' }])
  })

  test('of contacts joins parts of the name; a complete name is used alone', () => {
    expect(
      rowsOf([
        ['First Name', 'Middle Name', 'Last Name', 'Mobile Phone'],
        ['Ana', 'Maria', 'Prado', '11 95555-0101'],
      ]),
    ).toMatchObject([{ name: 'Ana Maria Prado' }])
    expect(
      rowsOf([
        ['Name', 'Given Name', 'Family Name', 'Phone 1 - Type', 'Phone 1 - Value'],
        ['Ana Prado', 'Ana', 'Prado', 'Mobile', '11 95555-0101'],
      ]),
    ).toMatchObject([{ name: 'Ana Prado', phone: '11 95555-0101' }])
    expect(
      rowsOf([
        ['Nome', 'Sobrenome', 'Telefone'],
        ['Ana', 'Prado', '11 95555-0101'],
      ]),
    ).toMatchObject([{ name: 'Ana Prado' }])
  })

  test('with several phones puts WhatsApp and mobile before landline', () => {
    expect(
      rowsOf([
        ['Nome', 'Telefone fixo', 'Telefone', 'Celular', 'WhatsApp'],
        ['Ana', '11 3555-0101', '11 3555-0102', '11 95555-0103', '11 95555-0104'],
        ['Bia', '', '11 3555-0105', '', ''],
      ]),
    ).toEqual([
      { name: 'Ana', phone: '11 95555-0104', otherPhone: '11 95555-0103 ; 11 3555-0102 ; 11 3555-0101' },
      { name: 'Bia', phone: '11 3555-0105' },
    ])
  })

  test('with a column for the area code adds it to each phone without one', () => {
    expect(
      rowsOf([
        ['Nome', 'DDD', 'Telefone', 'DDD Cel', 'Celular'],
        ['Ana', '11', '3555-0101', '21', '955550102'],
        ['Bia', '11', '(31) 95555-0103', '', ''],
      ]),
    ).toEqual([
      { name: 'Ana', phone: '(21) 955550102', otherPhone: '(11) 3555-0101' },
      { name: 'Bia', phone: '(31) 95555-0103' },
    ])
  })

  test('with several notes and e-mails joins them', () => {
    expect(
      rowsOf([
        ['Nome', 'E-mail', 'E-mail 2', 'Nota 1', 'Nota 2'],
        ['Ana', 'a@example.com', 'b@example.com', 'um', 'dois'],
      ]),
    ).toEqual([{ name: 'Ana', email: 'a@example.com ; b@example.com', note: 'um\ndois' }])
  })
})

describe("a column's content", () => {
  test('outweighs its title', () => {
    expect(
      rowsOf([
        ['Nome', 'Contato', 'Interesse', 'Lead'],
        ['Ana', '11 95555-0101', 'Compra', 'ana@example.com'],
        ['Bia', '11 95555-0102', 'Locação', 'bia@example.com'],
      ]),
    ).toMatchObject([{ name: 'Ana', phone: '11 95555-0101' }, { name: 'Bia', phone: '11 95555-0102' }]) // prettier-ignore
    expect(
      rowsOf([
        ['Cliente', 'Fone', 'Interesse'],
        ['Ana', '11 95555-0101', 'Mirante do Lago'],
      ]),
    ).toMatchObject([{ development: 'Mirante do Lago' }])
  })

  test('gives its meaning without a header, or with meaningless titles', () => {
    expect(
      rowsOf([
        ['Ana Prado', '11955550101', 'ana@example.com'],
        ['Bia Dias', '11955550102', ''],
      ]),
    ).toEqual([
      { name: 'Ana Prado', phone: '11955550101', email: 'ana@example.com' },
      { name: 'Bia Dias', phone: '11955550102' },
    ])
    expect(
      rowsOf([['Ana - 11 95555-0101'], ['Bia Dias (11) 95555-0102 zap'], ['cel: 11 95555-0103']]),
    ).toMatchObject([
      { name: 'Ana', phone: '11 95555-0101' },
      { name: 'Bia Dias', phone: '(11) 95555-0102 zap' },
      { phone: 'cel: 11 95555-0103' },
    ])
  })
})

describe('the header line', () => {
  it.each([
    ['the first', [['Nome', 'Telefone'], ['Ana', '11 95555-0101']], 0],
    ['below a report’s head', [['Relatório de leads', ''], ['Imobiliária · (11) 3555-0000', ''], [''], ['Nome', 'Telefone'], ['Ana', '11 95555-0101']], 3],
    ['below merged groups', [['Contato', '', 'Negócio', ''], ['Nome', 'Telefone', 'Etapa', 'Valor'], ['Ana', '11 95555-0101', 'x', '1']], 1],
    ['one alone', [['Telefones'], ['11 95555-0101']], 0],
    ['none over rows', [['Ana', '11 95555-0101'], ['Bia', '11 95555-0102']], null],
    ['none over a row without a number', [['sem número'], ['11 95555-0101']], null],
    ['unknown words', [['Quem', 'Onde'], ['Ana', '11 95555-0101']], 0],
  ])('is %s', (_, lines, line) => expect(findHeader(lines)).toBe(line)) // prettier-ignore
})
