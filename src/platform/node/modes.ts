/** File permissions: what dibs writes is for its owner alone. */
export const OWNER_ONLY_FOLDER = 0o700
export const OWNER_ONLY_FILE = 0o600
/** The bits that let a group or everybody do anything. */
export const OTHERS_MASK = 0o077
