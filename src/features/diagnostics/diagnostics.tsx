// Saúde do sistema, at /saude and publicly at /test-supabase. Strangers see only whether the server answers, brokers
// also their own connection, administrators also the details. The server decides who gets what. If it does not answer,
// the page shows what the device knows.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type Health, healthQuery } from '#data/diagnostics.ts'
import { keys } from '#data/keys.ts'
import { useSession } from '#data/session.ts'
import { Suspense } from 'react'
import { lazily } from '#ui/lazily.ts'
import { Button } from '#ui/primitives/button.tsx'
import { usePageTitle } from '#ui/primitives/page-title.ts'
import { ClientLog } from './client-log.tsx'
import { LocalFacts } from './local-facts.tsx'
import { Check, Group, Row } from './rows.tsx'
import { CHECKING } from './texts.ts'

/** These parts are useless without the server, so the service worker does not store their files on the device. */
const insides = lazily(async () => (await import('./insides.tsx')).AllInsides)
const probes = lazily(async () => (await import('./probes.tsx')).Probes)

const TITLE = 'Saúde do sistema'

const UNREACHABLE = 'Fora do ar'

const REACHABLE = 'Acessível'

/** What each state of the gateway (server/gateway.ts) is called on the page. */
const GATEWAY: Readonly<Record<string, string>> = {
  none: 'Não configurado',
  unknown: 'Verificando...',
  ok: REACHABLE,
  unreachable: UNREACHABLE,
  unsupported: 'Versão não suportada',
  unlicensed: 'Servidor não ativado',
  unauthorized: 'Chave recusada',
  failed: 'Com erro',
  refused: 'Pedido recusado',
}

/** What each fault of the database (server/ops/health/faults.ts) is called on the page. */
const DATABASE: Readonly<Record<string, string>> = {
  'database-down': UNREACHABLE,
  'database-silent': 'Não responde',
  'read-only': 'Só leitura',
  'disk-full': 'Disco cheio',
  'table-damaged': 'Tabela danificada',
}

export function Diagnostics() {
  usePageTitle(TITLE)
  const { data: health, isPending, isFetching } = useQuery(healthQuery())
  const client = useQueryClient()
  const session = useSession()
  const isIn = session.status === 'in'
  const isReachable = health !== undefined
  return (
    <div className="flex flex-col gap-6">
      <header>
        <h1 className="text-24 font-semibold tracking-heading">{TITLE}</h1>
        <p className="mt-1 text-14 text-text-2">O que este aparelho consegue alcançar agora.</p>
      </header>
      <div aria-live="polite" aria-busy={isFetching}>
        <Group title="Agora">
          <Check
            name="Servidor"
            isGood={isPending ? null : isReachable}
            words={isReachable ? REACHABLE : UNREACHABLE}
          />
          {health && isIn && <Details health={health} username={session.user.username} />}
        </Group>
      </div>
      {!isReachable && !isPending && <LocalFacts />}
      <Suspense>
        {health?.insides && isIn && <insides.Component health={health} insides={health.insides} />}
        {isReachable && isIn && <probes.Component />}
      </Suspense>
      <Button
        variant="line"
        busy={isFetching && CHECKING}
        onClick={() => void client.invalidateQueries({ queryKey: keys.health() })}
      >
        Verificar de novo
      </Button>
      <ClientLog />
    </div>
  )
}

/** Several gateways have a line each. */
function gatewaysOf({ gateway, insides }: Health): { name: string; state: string }[] {
  const name = 'Serviço de WhatsApp'
  const each = insides?.gateways ?? []
  if (each.length < 2) return [{ name, state: gateway }]
  return each.map(({ title, health }) => ({ name: `${name} (${title})`, state: health }))
}

function Details({ health, username }: { health: Health; username: string }) {
  const fault = health.faults.find((word) => word in DATABASE)
  const isDatabaseUp = health.database === 'ok' && fault === undefined
  return (
    <>
      <Check
        name="Banco de dados"
        isGood={isDatabaseUp}
        words={isDatabaseUp ? REACHABLE : (DATABASE[fault ?? ''] ?? UNREACHABLE)}
      />
      {gatewaysOf(health).map(({ name, state }) => (
        <Check
          key={name}
          name={name}
          isGood={state === 'unknown' ? null : state === 'ok'}
          words={GATEWAY[state] ?? state}
        />
      ))}
      {health.faults.includes('media-away') && <Check name="Mídias" isGood={false} words={UNREACHABLE} />}
      <Row name="Versão">{health.version}</Row>
      <Row name="Sessão">{username}</Row>
    </>
  )
}
