// Phone numbers as people, forms and the gateway write them, with the results that the app and the database must read.

/** Texts for a new lead in the database, and why each is refused. */
export const PHONE_FAULTS: readonly [written: string, fault: 'area' | 'number' | null][] = [
  ['(11) 90555-0148', null],
  ['11 3333-4444', null],
  ['+55 11 90555-0148', null],
  ['5511905550148', null],
  ['055 11 90555-0148', null],
  ['+14155550142', null],
  ['+351912345678', null],
  ['90555-0148', 'area'],
  ['3333-4444', 'area'],
  ['+55 90555-0148', 'area'],
  ['+55 3333-4444', 'area'],
  ['1 415 555 0142', 'number'],
  ['(20) 90555-0148', 'number'],
  ['(11) 0555-0148', 'number'],
  ['+55 20 90555-0148', 'number'],
  ['+12 34', 'number'],
  ['+1234567890123456', 'number'],
  ['1190', 'number'],
  ['casa', 'number'],
  ['', 'number'],
  ['5511905550148@s.whatsapp.net', 'number'],
]

export type PhoneCase = {
  written: string
  /** The person's key; null: no number. */
  key: string | null
  /** The digits with country code, if the text alone gives them; null: nothing to dial. */
  dialled: string | null
}

const forms = (key: string | null, ...given: [written: string, dialled: string | null][]): PhoneCase[] =>
  given.map(([written, dialled]) => ({ written, key, dialled }))

/** Typed numbers; a WhatsApp address is passed to the gateway unchanged. */
export const PHONE_CASES: readonly PhoneCase[] = [
  // A mobile number in every form.
  ...forms(
    '+551187654321',
    ['5511987654321', '5511987654321'],
    ['551187654321', '551187654321'],
    ['11987654321', '5511987654321'],
    ['1187654321', '551187654321'],
    ['(11) 98765-4321', '5511987654321'],
    ['+55 11 98765-4321', '5511987654321'],
    ['011 98765-4321', '5511987654321'],
    ['0055 11 98765 4321', '5511987654321'],
    ['11 9.8765.4321', '5511987654321'],
  ),
  // A landline, whose first digit is 2 to 5.
  ...forms('+551133334444', ['1133334444', '551133334444'], ['(11) 3333-4444', '551133334444']),
  // Nine digits that would be a landline number without the 9.
  ...forms('+5511933334444', ['5511933334444', '5511933334444'], ['11933334444', '5511933334444']),
  // A trunk 0 after the country code; invisible characters.
  ...forms(
    '+551187654321',
    ['+55 (0)11 98765-4321', '5511987654321'],
    ['\u202A+55 11 98765-4321\u202C', '5511987654321'],
  ),
  ...forms('+525512345678', ['+5215512345678', '5215512345678'], ['+525512345678', '525512345678']),
  ...forms('+541123456789', ['+5491123456789', '5491123456789'], ['+541123456789', '541123456789']),
  // With + it is a number in Peru, without it one in Porto Alegre.
  ...forms('+51987654321', ['+51987654321', '51987654321']),
  ...forms('+555187654321', ['51987654321', '5551987654321'], ['(51) 98765-4321', '5551987654321']),
  ...forms('+14155550142', ['+14155550142', '14155550142']),
  // Area code 55 is not the country code.
  ...forms('+555599112233', ['55999112233', '5555999112233'], ['(55) 99911-2233', '5555999112233']),
  // Only the reader handles these: other countries, grouped or without +, words, several numbers, carrier codes.
  ...forms(
    null,
    ['+51 987 654 321', null],
    ['0051 987654321', null],
    ['1 415 555 0142', null],
    ['351912345678', null],
    ['11 98765-4321 zap', null],
    ['11987654321 11987654322', null],
    ['0 15 11 98765-4321', null],
  ),
  // A digit missing or too many, an area code missing or unknown, a company number.
  ...forms(
    null,
    ['11 98765-432', null],
    ['11 987654321 0', null],
    ['2098765432', null],
    ['8765-4321', null],
    ['+55 98765-4321', null],
    ['(00) 98765-4321', null],
    ['11 4004-4321', null],
  ),
  ...forms(null, ['Marina', null], ['', null], ['000', null]),
]

/** Several numbers in one text, mobiles first; `fault`: why there is none. */
export type ReadCase = { written: string; numbers: readonly string[]; fault?: string; rest?: string }

const one = (number: string, ...written: string[]): ReadCase[] =>
  written.map((text) => ({ written: text, numbers: [number] }))
const none = (fault: string, ...written: string[]): ReadCase[] =>
  written.map((text) => ({ written: text, numbers: [], fault }))

/** Texts from offices, and the results of readNumbers. */
export const READ_CASES: readonly ReadCase[] = [
  ...one(
    '+5511955500142',
    '+55 11 95550-0142',
    '(011) 95550-0142',
    '+55(11)9.5550-0142',
    '11 9 5550 0142',
    '119 5550-0142',
    '11) 95550.0142',
    '11/95550-0142',
    '11 95550 - 0142',
    '＋55 11 95550–0142',
    '[11] 95550-0142',
    '00 55 11 95550-0142',
    '+11 95550-0142',
  ),
  // A trunk 0, with and without a carrier code, also after the country code.
  ...one(
    '+5511955500142',
    '+55 (0)11 95550-0142',
    '+55 011 95550-0142',
    '55 0 11 95550-0142',
    '0xx11 95550-0142',
    '(0XX11) 95550-0142',
    '0**11 95550-0142',
    '+55 0xx11 95550-0142',
    '0 15 11 95550-0142',
    '(021) 11 95550-0142',
    '01411955500142',
    '90 11 95550-0142',
    '90 15 11 95550-0142',
  ),
  // An old mobile number of eight digits is today's of nine.
  ...one('+5511955500142', '5511955500142@c.us', '5511955500142:7@s.whatsapp.net'),
  ...one('+5511985500142', '11 8550-0142', '551185500142', '+55 11 8550-0142'),
  ...one('+5511970500142', '11 7050-0142'),
  // Area code 55.
  ...one(
    '+5555991230142',
    '55 99123-0142',
    '055 99123-0142',
    '(55) 9123-0142',
    '0 15 55 99123-0142',
    '5591230142',
  ),
  ...one('+555532220142', '5532220142', '(055) 3222-0142'),
  ...one('+5599991230142', '559991230142'),
  // Numbers in a text with words, hours, extensions and other figures.
  ...one(
    '+5511955500142',
    'Cel: (11) 95550-0142 (Ana)',
    '~11 95550-0142 zap',
    '11 95550-0142 - falar após as 18h',
    '11 95550-0142 (das 9:30 às 12h30)',
    '11955500142x',
    'tel:+5511955500142',
    'https://wa.me/5511955500142?text=Oi%2011%2099999-9999',
    'api.whatsapp.com/send?phone=5511955500142&text=oi',
    '12/05/2026 11 95550-0142',
    'R$ 350.000 11 95550-0142',
    'CEP 01310-100, 11 95550-0142',
  ),
  ...one(
    '+551132220142',
    '(11) 3222-0142 R:12',
    '(11) 3222-0142 ramal 205',
    '11 3222-0142 x12',
    '1132220142 ext 7',
  ),
  ...one('+551132220142', '(11)3222.0142/5'),
  // A landline number, although company numbers look similar.
  ...one('+551130010142', '(11) 3001-0142', '551130010142', "'+551130010142"),
  // Spreadsheet formats that lose no digit.
  ...one(
    '+5511955500142',
    '11955500142.0',
    '11955500142,00',
    '1.1955500142E10',
    '1,1955500142E+10',
    '11.955.500.142',
    '11,955,500,142',
    '="11955500142"',
    "'+5511955500142",
  ),
  ...one('+5511955500140', '1.195550014E10'),
  ...none('cut', '1,19555E+10', '5,51195E+12', '1.1955E10', '1E+10'),
  // Invisible characters.
  ...one('+5511955500142', '\u202A+55 11 95550\u20110142\u202C', '\u200B(11)\u00A09\u200B5550\u20110142\t'),
  // Two numbers in one text.
  ...[' ', ' - ', '-', '/', ' / ', ', ', ';', ' ou ', ' e ', ' | ', ' & ', ' + ', ' ::: ', ' cel '].map(
    (between): ReadCase => ({
      written: `(11) 95550-0142${between}(21) 3222-0143`,
      numbers: ['+5511955500142', '+552132220143'],
      rest: '',
    }),
  ),
  { written: '11955500142 11955500143', numbers: ['+5511955500142', '+5511955500143'] },
  { written: 'Res: 11 3222-0142 Cel: 95550-0142', numbers: ['+5511955500142', '+551132220142'], rest: '' },
  { written: '(11) 3222-0142 / 95550-0142', numbers: ['+5511955500142', '+551132220142'] },
  { written: '(11) 3222-0142 boleto 98765432', numbers: ['+551132220142'], rest: 'boleto 98765432' },
  { written: '95550-0142 / 11 3222-0142', numbers: ['+551132220142'], rest: '95550-0142' },
  { written: '11 95550-0142 / 11 955500142', numbers: ['+5511955500142'] },
  { written: '51 95550-0142 + 51 95550-0143', numbers: ['+5551955500142', '+5551955500143'] },
  { written: '0800 591 0000 ou 11 95550-0142', numbers: ['+5511955500142'], rest: '0800 591 0000' },
  { written: '(11) 95550-0142 recado c/ Bia', numbers: ['+5511955500142'], rest: 'recado c/ Bia' },
  { written: 'DDD 11 Cel 95550-0142', numbers: ['+5511955500142'], rest: '' },
  // Foreign numbers with country code.
  ...one(
    '+51987654005',
    '+51 987 654 005',
    '0051 987 654 005',
    'wa.me/51987654005',
    '51987654005@s.whatsapp.net',
  ),
  ...one('+5551987654005', '51987654005', '51 98765-4005'),
  ...one('+447911123456', '+44 (0)7911 123456'),
  ...one('+819012345678', '+81 0 90-1234-5678'),
  ...one('+390669821234', '+39 06 6982 1234'),
  ...one('+5215512345678', '+52 1 55 1234 5678'),
  ...one('+4791234567', '+47 912 34 567'),
  ...one('+14155550142', '+1 (415) 555-0142'),
  // Half a number, or a service number.
  ...none(
    'area',
    '95550-0142',
    '3222-0142',
    '+55 95550-0142',
    '+5595550-0142',
    '9090 95550-0142',
    '(00) 95550-0142',
  ),
  ...none(
    'service',
    '0800 591 0142',
    '08005910142',
    '0300 789 0142',
    '4004-0142',
    '+55 4004 0142',
    '11 4004-0142',
  ),
  ...none('cut', '1195550014.2'),
  ...none('service', '(31) 3003-0142', '+55 0800 591 0142', '+1 800 555 0142'),
  ...none(
    'number',
    '(20) 95550-0142',
    '11 95550-014',
    '11 995550-0142',
    '11 955500142 0',
    '9911955500142',
    '12345678901',
    '1 415 555 0142',
    '351912345678',
    '11111111111',
    '00000000000',
    '190',
    '*144',
    '(11)',
  ),
  ...none(
    'empty',
    '',
    'não tem',
    'N/A',
    '(__) _____-____',
    'ana11955500142@example.com',
    '120363@g.us',
    '99887766@lid',
  ),
  ...none('empty', 'CPF 119.555.001-42', '119.555.001-42', '11.955.500/0001-42'),
]
