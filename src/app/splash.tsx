// 'Carregando...' on the whole screen until the session is known.
import { Loading } from '#ui/feedback/loading.tsx'

export function Splash() {
  return (
    <div className="flex min-h-dvh flex-col">
      <Loading />
    </div>
  )
}
