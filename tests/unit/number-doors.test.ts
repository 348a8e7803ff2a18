// Every input of phone numbers reads them alike: lists, forms, e-mails, the API, the add dialog, REST.
import { describe, expect, it } from 'vitest'
import { readRow } from '#domain/lead/list/row.ts'
import { storedNumber } from '#domain/phone/number-key.ts'
import { readPlain, readTyped } from '#domain/phone/typed.ts'
import { toNewLead } from '#server/leads/intake/new-lead.ts'
import { withReadNumbers } from '#server/rest/number-arguments.ts'
import { READ_CASES } from '#tests/support/phone-cases.ts'

const EMAIL = 'ana@example.com'

describe.each(READ_CASES)('$written', ({ written, numbers }) => {
  const stored = numbers.map(storedNumber)

  it('in a list', () => {
    const { lead } = readRow({ phone: written, email: EMAIL })
    expect([lead?.number, ...(lead?.numbers ?? [])]).toEqual(stored.length === 0 ? [null] : stored)
  })

  it('in a form, an e-mail or the API', () => {
    const lead = toNewLead({ phones: [written], email: EMAIL }, {}, 0)
    expect([lead.number, ...(lead.numbers ?? [])]).toEqual(stored.length === 0 ? [null] : stored)
  })

  it('by hand', async () => expect((await readTyped(written)).numbers).toEqual(numbers))

  it('through REST', async () => {
    const request = new Request('http://portal/rest/v1/rpc/lead_add', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ p_name: 'Ana', p_number: written }),
    })
    const { p_number: told } = (await (await withReadNumbers(request)).json()) as { p_number: string }
    expect(told.split(' ').filter((one) => /^\+\d{7,15}$/.test(one))).toEqual(numbers)
  })
})

it.each([
  ['(11) 95550-0142', ['+5511955500142'], null],
  ['+351 912 345 678', ['+351912345678'], null],
  ['95550-0142', [], 'area'],
  ['+55 95550-0142', [], 'number'],
  ['casa', [], 'number'],
])('without the reader, %s is stored unchanged', (written, numbers, fault) =>
  expect(readPlain(written)).toEqual({ numbers, fault }),
)
