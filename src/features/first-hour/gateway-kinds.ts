// The kinds of WhatsApp gateway that an administrator can enter, with what each needs.

export type GatewayKind = { kind: string; title: string; placeholder: string; needs: string }

export const GATEWAY_KINDS: readonly GatewayKind[] = [
  {
    kind: 'evolution',
    title: 'Evolution API',
    placeholder: 'https://evolution.suaempresa.com.br',
    needs:
      'O endereço é onde a sua Evolution API (2.3 ou mais nova) responde, e a chave é a AUTHENTICATION_API_KEY das configurações dela.',
  },
  {
    kind: 'waha',
    title: 'WAHA',
    placeholder: 'https://waha.suaempresa.com.br',
    needs:
      'O endereço é onde o seu WAHA (2026.6.1 ou mais novo, com WHATSAPP_DEFAULT_ENGINE=NOWEB) responde, e a chave é a chave de API das configurações dele.',
  },
]

export const kindOf = (kind: string): GatewayKind =>
  GATEWAY_KINDS.find((known) => known.kind === kind) ?? { kind, title: kind, placeholder: '', needs: '' }
