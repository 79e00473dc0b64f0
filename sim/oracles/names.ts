/** The invariants, each with its law in a sentence. `sim/ARCHITECTURE.md` has the definitions. */
export const INVARIANTS = {
  'one-owner':
    'Devices that are connected and have the same records of a run do not work on it at once for longer than the grace.',
  'bounded-starts':
    'A run is begun no more often than once, and once more for each cause that was written down or befell its owner.',
  'justified-timeout':
    'Nobody takes a run from a device that it heard within the time, or before it has listened for long enough.',
  'own-word': 'A run goes on to another for a decline, a release or a failure only if its owner said so.',
  'one-reassigner': 'Where everyone hears everyone, one device reassigns, not several.',
  'first-keeps-it':
    'Who had a run first and never fell silent is not stopped because others thought it gone.',
  'sleeper-lets-go': 'Who fell silent for longer than the timeout does not say that it held a run.',
  'one-result':
    'A completed run has one accepted result, the same everywhere, by the device that the assignment names.',
  'equal-views': 'Equal sets of records give byte-equal views, in whatever order they came.',
  'terminal-stays': 'An end stays an end, but for a stronger one or a retry.',
  'nothing-lost': 'What was acknowledged is there at the end, on every device.',
  'own-log-kept': 'What a device wrote durably it still has, and goes on from, after whatever befell it.',
  'unbroken-logs': 'Each batch that a disk holds names the one before it, whoever wrote it.',
  'recorded-first': 'What is published or acted on was durable before.',
  'fences-grow':
    'A handler is shown a higher fence than any that its device knew to have been granted to another.',
  'first-has-dibs': 'Among assignments side by side the one that was made first has the run.',
  'heard-from': 'A device that is up and well shows that it lives at least as often as it says.',
  'only-members': 'Nothing by a stranger, or by a device after its revocation, counts anywhere.',
  'looked-at-again':
    'Every open run has a timer, a place in line, or an owner that is watched; and the timer is armed.',
  'deserved-failure':
    'A run fails for good only for a deadline, a permanent failure, or when its attempts were really spent.',
  'deserved-cancel': 'A run is cancelled only if somebody cancelled it.',
  liveness: 'Once faults stop, every run that a live device can do ends within the bound.',
  converged: 'Once faults stop, all devices come to have the same records and the same views.',
  'idle-is-free': 'Devices with nothing to do write nothing.',
  cost: 'Messages, bytes and records of a run stay within their budget.',
  'right-time': 'Who corrects its clock by the others’ does not put it further off than theirs ever were.',
  slots:
    'No device works on more runs at once than it has slots, and all are free once everything has ended.',
  'no-fault': 'Nothing throws that is not the world’s fault.',
} as const

export type InvariantName = keyof typeof INVARIANTS
