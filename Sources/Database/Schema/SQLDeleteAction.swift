/// The action on a row when the row that it names is deleted.
package enum SQLDeleteAction: Sendable, Hashable {
    /// The other row cannot be deleted.
    case refuse
    /// The row is deleted, too.
    case cascade
    /// The column becomes `NULL`.
    case setNull
}
