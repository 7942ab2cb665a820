/** What a check found wrong, and the way out; none when all is well. */
export type Complaint = { readonly what: string; readonly fix: string }
