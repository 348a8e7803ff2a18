// 'Exportar': downloads the shown leads as a file for Excel.
import { useMutation } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useIsOnline } from '#data/connectivity.ts'
import { toast } from '#ui/feedback/toast.ts'
import { download } from '#ui/download.ts'
import { Button } from '#ui/primitives/button.tsx'
import { ONLINE_ONLY } from '#ui/texts.ts'
import { exportLeads, type LeadsToExport } from './data.ts'

export function ExportLeads({ of, isDisabled = false }: { of: LeadsToExport; isDisabled?: boolean }) {
  const isOnline = useIsOnline()
  const { mutate, isPending } = useMutation({
    ...exportLeads(),
    onSuccess: (file) => download('leads.csv', file, 'text/csv;charset=utf-8'),
    onError: ({ message }) => toast(message || 'Não foi possível exportar. Tente de novo.', 'error'),
  })
  return (
    <Button
      variant="line"
      icon={Download}
      disabled={!isOnline || isDisabled}
      title={isOnline ? undefined : ONLINE_ONLY}
      busy={isPending && 'Exportando...'}
      onClick={() => mutate(of)}
    >
      Exportar
    </Button>
  )
}
