// Shows what the device knows while the server cannot be reached.
import { useQuery } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { appBuild, boardTimeQuery } from '#data/diagnostics.ts'
import { useWaiting } from '#data/pending.ts'
import { useSession } from '#data/session.ts'
import { countOf } from '#domain/count.ts'
import { formatDateTime } from '#domain/format.ts'
import { Group, Row } from './rows.tsx'

export function LocalFacts() {
  const session = useSession()
  const waiting = useWaiting().length
  const hasNetwork = useSyncExternalStore(watchNetwork, () => navigator.onLine)
  const instanceName = 'user' in session && session.user.role === 'broker' ? session.user.instanceName : null
  const { data: boardAtMs } = useQuery(boardTimeQuery(instanceName))
  return (
    <div className="flex flex-col gap-3">
      <output className="block text-14 text-text-2">
        {hasNetwork
          ? 'O portal não pôde ser alcançado: a internet está lenta ou ele está fora do ar.'
          : 'O portal não pôde ser alcançado: este aparelho está sem internet.'}{' '}
        O que foi feito aqui está guardado e segue quando ele voltar.
      </output>
      <Group title="Neste aparelho">
        <Row name="Internet">{hasNetwork ? 'Conectada' : 'Sem conexão'}</Row>
        {'user' in session && <Row name="Conta">{session.user.username}</Row>}
        {'user' in session && (
          <Row name="Na fila">{waiting === 0 ? 'Nada' : countOf(waiting, 'alteração', 'alterações')}</Row>
        )}
        {boardAtMs && <Row name="Leads atualizados em">{formatDateTime(boardAtMs)}</Row>}
        {appBuild() !== null && <Row name="Aplicativo">{appBuild()}</Row>}
      </Group>
    </div>
  )
}

function watchNetwork(changed: () => void): () => void {
  for (const name of ['online', 'offline']) addEventListener(name, changed)
  return () => {
    for (const name of ['online', 'offline']) removeEventListener(name, changed)
  }
}
