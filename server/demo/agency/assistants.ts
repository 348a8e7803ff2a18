// The virtual assistants that answer on a development's central WhatsApp, and hand the lead to the broker whose turn it
// is.

type Assistant = {
  name: string
  instanceName: string
  number: string
  /** Whether its phone is linked. */
  isLinked: boolean
}

export const ASSISTANTS: Readonly<Record<string, Assistant>> = {
  'Mirante do Lago': {
    name: 'Lia',
    instanceName: 'central_mirante',
    number: '5511901000201',
    isLinked: true,
  },
  'Jardim das Acácias': {
    name: 'Nina',
    instanceName: 'central_acacias',
    number: '5511901000202',
    isLinked: true,
  },
  'Vista Serrana': { name: 'Bia', instanceName: 'central_serrana', number: '5511901000203', isLinked: false },
}
