// '/saude': the health of the system, among the administrator's screens.
import { Diagnostics } from '#features/diagnostics/diagnostics.tsx'

export function AdminHealthPage() {
  return (
    <div className="mx-auto max-w-180">
      <Diagnostics />
    </div>
  )
}
