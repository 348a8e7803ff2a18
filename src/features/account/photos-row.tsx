// Whether conversation photos load automatically on this device.
import { AUTO_PHOTOS, type AutoPhotos, setAutoPhotos, useAutoPhotos } from '#data/messages/auto-photos.ts'

const LABEL = { always: 'Sempre', wifi: 'No Wi-Fi', never: 'Nunca' } satisfies Record<AutoPhotos, string>

export function PhotosRow() {
  const chosen = useAutoPhotos()
  return (
    <label className="flex min-h-14 items-center gap-3.5 rounded-lg px-4 text-16">
      <span className="grow">Baixar fotos sozinho</span>
      <select
        value={chosen}
        onChange={({ target }) => setAutoPhotos(AUTO_PHOTOS.find((one) => one === target.value) ?? 'wifi')}
        className="min-h-11 rounded-md bg-surface-2 px-3 text-16 text-text"
      >
        {AUTO_PHOTOS.map((choice) => (
          <option key={choice} value={choice}>
            {LABEL[choice]}
          </option>
        ))}
      </select>
    </label>
  )
}
