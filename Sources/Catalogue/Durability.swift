import Database

/// The failures that a write survives once its call has returned.
package enum Durability: Sendable {
    /// The write survives a crash of the process and a power cut.
    case onDisk
    /// The write survives a crash of the process, and a power cut only after the next write or
    /// ``CatalogueStore/makeDurable()``. Meant for data that would be found again and that somebody waits for,
    /// because a disk takes milliseconds.
    case soon

    var stored: SQLDurability {
        switch self {
        case .onDisk: .onDisk
        case .soon: .soon
        }
    }
}
