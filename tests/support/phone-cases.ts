// Numbers as people, forms and the gateway write them, and what they are read as, by the app and by the database alike.

/** What is typed for a new lead, and why it cannot be taken. */
export const PHONE_FAULTS: readonly [written: string, fault: 'area' | 'number' | null][] = [
  ['(11) 90555-0148', null],
  ['11 3333-4444', null],
  ['+55 11 90555-0148', null],
  ['5511905550148', null],
  ['055 11 90555-0148', null],
  ['+1 (415) 555-0142', null],
  ['+351 912 345 678', null],
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
  /** As the gateway is given it; null: nothing to dial. */
  dialled: string | null
}

const forms = (key: string | null, ...given: [written: string, dialled: string | null][]): PhoneCase[] =>
  given.map(([written, dialled]) => ({ written, key, dialled }))

/** Numbers as typed; an address of the network is given to the gateway as it is. */
export const PHONE_CASES: readonly PhoneCase[] = [
  // A mobile in every form.
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
  // Nine digits that would be a landline without the 9.
  ...forms('+5511933334444', ['5511933334444', '5511933334444'], ['11933334444', '5511933334444']),
  ...forms('+525512345678', ['+52 1 55 1234 5678', '5215512345678'], ['525512345678', '525512345678']),
  ...forms('+541123456789', ['+54 9 11 2345 6789', '5491123456789'], ['+54 11 2345-6789', '541123456789']),
  // Written with + it is Peru, without it Porto Alegre.
  ...forms('+51987654321', ['+51 987 654 321', '51987654321']),
  ...forms('+555187654321', ['51987654321', '5551987654321'], ['(51) 98765-4321', '5551987654321']),
  // Eleven digits, of which no Brazilian number is made: the United States.
  ...forms('+14155550142', ['1 415 555 0142', '14155550142'], ['+1 (415) 555-0142', '14155550142']),
  // Area code 55 is no country code.
  ...forms('+555599112233', ['55999112233', '5555999112233'], ['(55) 99911-2233', '5555999112233']),
  ...forms('+351912345678', ['+351 912 345 678', '351912345678'], ['351912345678', '351912345678']),
  // An area code that does not exist; too few digits for one.
  ...forms('+2098765432', ['2098765432', '2098765432']),
  ...forms('+87654321', ['87654321', '87654321'], ['8765-4321', '87654321']),
  ...forms(null, ['Marina', null], ['', null], ['000', null]),
]
