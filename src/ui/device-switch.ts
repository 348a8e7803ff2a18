// Settings that are on by default, stored on this device.
import { useSyncExternalStore } from 'react'

type DeviceSwitch = {
  isOn: () => boolean
  set: (isOn: boolean) => void
  subscribe: (changed: () => void) => () => void
}

function deviceSwitch(key: string): DeviceSwitch {
  const listeners = new Set<() => void>()
  return {
    isOn: () => localStorage.getItem(key) !== 'off',
    set: (isOn) => {
      if (isOn) localStorage.removeItem(key)
      else localStorage.setItem(key, 'off')
      for (const listener of listeners) listener()
    },
    subscribe: (changed) => {
      listeners.add(changed)
      return () => listeners.delete(changed)
    },
  }
}

/** The device vibrates at steps of a gesture. */
export const vibration = deviceSwitch('vibration')
/** A sideways swipe on a card moves the card; if off, it turns the page. */
export const cardSwipe = deviceSwitch('card-swipe')

export function useDeviceSwitch(setting: DeviceSwitch): [boolean, (isOn: boolean) => void] {
  return [useSyncExternalStore(setting.subscribe, setting.isOn), setting.set]
}
