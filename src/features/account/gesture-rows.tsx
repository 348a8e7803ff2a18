// The gesture settings of the phone's board on this device.
import { cardSwipe, useDeviceSwitch, vibration } from '#ui/device-switch.ts'
import { useMedia, WIDE } from '#ui/media.ts'
import { Switch } from '#ui/forms/switch.tsx'

/**
 * The rows are hidden on wide boards, which have no gestures. The vibration row is hidden on devices that cannot
 * vibrate.
 */
export function GestureRows() {
  const isWide = useMedia(WIDE)
  const [isSwipeOn, setSwipe] = useDeviceSwitch(cardSwipe)
  const [isVibrationOn, setVibration] = useDeviceSwitch(vibration)
  if (isWide) return null
  return (
    <fieldset>
      <legend className="px-3 py-2 text-13 font-medium text-text-3">Gestos</legend>
      <Switch
        label="Deslizar cards para mover"
        hint="Desligado, deslizar troca de estágio; para mover, segure o card ou use Mover."
        isOn={isSwipeOn}
        onChange={setSwipe}
      />
      {'vibrate' in navigator && (
        <Switch label="Vibrar ao mover" isOn={isVibrationOn} onChange={setVibration} />
      )}
    </fieldset>
  )
}
