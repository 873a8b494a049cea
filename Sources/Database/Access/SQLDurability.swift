/// The failures that a transaction survives once its call has returned.
package enum SQLDurability: Sendable {
    /// The transaction survives a crash of the process and a power cut.
    case onDisk
    /// The transaction survives a crash of the process, and a power cut only after the next write or
    /// ``SQLDatabase/makeDurable()``. Meant for data that would be found again and that somebody waits for, because a
    /// disk takes milliseconds.
    case soon
}
