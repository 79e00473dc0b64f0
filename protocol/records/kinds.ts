/**
 * The one table of record kinds: each with its code on the wire and its fields, in wire order.
 *
 * Types, zod schemas, the codec and SPEC.md's tables all follow from it. A field is given by its type (`fields.ts`);
 * `?` marks it optional, `*` derived: the decoder works it out and it is not on the wire. The table only ever grows: a
 * new kind, or a new version of one, takes a new code, and devices that do not know it keep the record and ignore it.
 */

export const KINDS = {
  created: {
    code: 1,
    about: 'run',
    says: 'there is a run to do',
    fields: {
      run: 'run*',
      type: 'name',
      input: 'payload?',
      priority: 'priority?',
      project: 'name?',
      key: 'key?',
      requires: 'names?',
      prefers: 'names?',
      privacy: 'names?',
      parent: 'run?',
      version: 'version?',
      retry: 'retry?',
      timeoutMs: 'duration?',
      heartbeat: 'heartbeat?',
      assignmentTimeoutMs: 'duration?',
      notBefore: 'moment?',
      deadline: 'moment?',
      approval: 'approval?',
      reconcile: 'reconcile?',
      coordinator: 'flag?',
      preemptible: 'flag?',
      minBattery: 'share?',
    },
  },
  assigned: {
    code: 2,
    about: 'run',
    says: 'this device shall do it',
    fields: {
      run: 'run',
      target: 'device',
      reason: 'assignReason',
      parent: 'record?',
      created: 'record?',
      round: 'round?',
      note: 'text?',
    },
  },
  claimed: {
    code: 3,
    about: 'run',
    says: 'I take it',
    fields: {
      run: 'run',
      assignment: 'record',
    },
  },
  started: {
    code: 4,
    about: 'run',
    says: 'I begin to work on it',
    fields: {
      run: 'run',
      assignment: 'record',
    },
  },
  progressed: {
    code: 5,
    about: 'run',
    says: 'I have come this far; who takes over may go on from here',
    fields: {
      run: 'run',
      assignment: 'record',
      data: 'payload?',
    },
  },
  declined: {
    code: 6,
    about: 'run',
    says: 'I do not take it',
    fields: {
      run: 'run',
      assignment: 'record',
      reason: 'name',
      note: 'text?',
    },
  },
  released: {
    code: 7,
    about: 'run',
    says: 'I give it back',
    fields: {
      run: 'run',
      assignment: 'record',
      reason: 'releaseReason',
      note: 'text?',
    },
  },
  held: {
    code: 8,
    about: 'run',
    says: 'I had it first and never let go: these reassignments are void',
    fields: {
      run: 'run',
      assignment: 'record',
      gapMs: 'span',
      voids: 'records?',
    },
  },
  completed: {
    code: 9,
    about: 'run',
    says: 'it is done, this is the result',
    fields: {
      run: 'run',
      assignment: 'record',
      output: 'payload?',
    },
  },
  failed: {
    code: 10,
    about: 'run',
    says: 'this attempt failed; or, if final, the run did',
    fields: {
      run: 'run',
      error: 'failure',
      assignment: 'record?',
      final: 'flag?',
      round: 'round?',
    },
  },
  cancelled: {
    code: 11,
    about: 'run',
    says: 'it shall not be done',
    fields: {
      run: 'run',
      round: 'round?',
      reason: 'text?',
    },
  },
  paused: {
    code: 12,
    about: 'run',
    says: 'it shall wait',
    fields: {
      run: 'run',
      reason: 'text?',
    },
  },
  resumed: {
    code: 13,
    about: 'run',
    says: 'it shall wait no longer',
    fields: {
      run: 'run',
    },
  },
  approved: {
    code: 14,
    about: 'run',
    says: 'a person agreed to it',
    fields: {
      run: 'run',
      by: 'name',
      reason: 'text?',
      expiresAt: 'moment?',
    },
  },
  retried: {
    code: 15,
    about: 'run',
    says: 'try again from the start, in a new round',
    fields: {
      run: 'run',
      round: 'round',
      ended: 'record',
      reason: 'text?',
    },
  },
  expedited: {
    code: 16,
    about: 'run',
    says: 'its priority is now this',
    fields: {
      run: 'run',
      priority: 'priority',
    },
  },
  profiled: {
    code: 17,
    about: 'device',
    says: 'this is what I am and can do',
    fields: {
      name: 'name',
      class: 'deviceClass',
      capabilities: 'names',
      projects: 'names?',
      slots: 'slots?',
      reserved: 'slots?',
      handles: 'names?',
    },
  },
  admitted: {
    code: 18,
    about: 'device',
    says: 'this device belongs to the group',
    fields: {
      device: 'device',
      role: 'role',
      clearances: 'names?',
    },
  },
  revoked: {
    code: 19,
    about: 'device',
    says: 'this device is out, for good',
    fields: {
      device: 'device',
      reason: 'text?',
      keeps: 'records?',
    },
  },
} as const

export type Kind = keyof typeof KINDS
